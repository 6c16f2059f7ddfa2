/**
 * What the accounts need of other companies: an SMS carrier, a WeChat official account, a WeChat mini program. Adapters
 * are in server/adapters, one vendor a file; tests/providers holds what each must keep.
 */

/** Why a provider said no, as far as we would act on it. */
export type RefusalReason =
  /** The carrier's own limits: so many messages to one phone. */
  | 'too-many'
  | 'bad-number'
  /** A js code that is used, over or made up. */
  | 'bad-code'
  /** Keys, signature, permissions: the operator has to act. */
  | 'not-authorised'
  /** The account with the provider is empty: the operator has to act. */
  | 'no-credit'
  | 'other';

/** The provider answered no. Asking again in the same way changes nothing. `vendorCode` is the vendor's own word. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused';
  readonly provider: string;
  readonly reason: RefusalReason;
  readonly vendorCode: string;
  constructor(provider: string, reason: RefusalReason, vendorCode: string) {
    super(`${provider} refused: ${vendorCode}`);
    this.provider = provider;
    this.reason = reason;
    this.vendorCode = vendorCode;
  }
}

/**
 * The provider could not be reached, failed, or said what we do not understand. `isOutcomeUnknown`: it may have done
 * what we asked all the same (no answer in time), so whatever must not happen twice is not asked for again.
 */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
  readonly provider: string;
  readonly isOutcomeUnknown: boolean;
  constructor(provider: string, what: string, isOutcomeUnknown: boolean) {
    super(`${provider} is not available: ${what}`);
    this.provider = provider;
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

export type SmsCarrier = {
  readonly name: string;
  /**
   * One verification code to one phone (11 digits, China). `reference` is ours, for the carrier's records, at most 32 of
   * [0-9A-Za-z_-]. Resolves once the carrier has taken it. Never tries twice. Throws ProviderRefused,
   * ProviderUnavailable.
   */
  send(message: { phone: string; code: string; reference: string }): Promise<'sent'>;
  /**
   * Tells a phone that its account is bound to another one now, whose last four digits are `tail`. Null where the operator
   * has no template for it: carriers in China send approved texts only. Otherwise as `send`.
   */
  tellReplaced: ((notice: { phone: string; tail: string; reference: string }) => Promise<'sent'>) | null;
};

/** What arrived at the official account's server URL. */
export type Push =
  /** Not WeChat's: forged, altered, older than five minutes, or another account's. Answer 403. */
  | { kind: 'not-genuine'; why: string }
  /** Genuine and no scan of ours: answer success. */
  | { kind: 'other' }
  /** WeChat repeats a push that is not answered within 5 s: the same openid, scene and `at` again. */
  | { kind: 'scan'; scene: string; openid: string; event: 'SCAN' | 'subscribe'; /** Epoch seconds. */ at: number };

/** Both throw ProviderRefused and ProviderUnavailable wherever they ask WeChat. */
export type OfficialAccountLogin = {
  readonly name: string;
  /**
   * A QR code that whoever scans it is pushed with. `scene`: 1–64 characters; 60 s ≤ ttlSeconds ≤ 30 days. `qrUrl` is
   * what the code says, to be drawn by ourselves; `qrImage` is WeChat's own picture of it (JPEG or PNG).
   */
  createQr(ask: { scene: string; ttlSeconds: number }): Promise<{ ticket: string; qrUrl: string; ttlSeconds: number }>;
  qrImage(ticket: string): Promise<Uint8Array>;
  /** Null where the account belongs to no Open Platform account, or the person has left it. */
  unionidOf(openid: string): Promise<string | null>;
  /** WeChat checks the server URL with a GET: the text to answer with; null when it was not WeChat (answer 403). */
  echo(query: URLSearchParams): string | null;
  /** A POST to the server URL, safe mode only. `body` as it came, at most 64 KiB. Answer `success` within 5 s. */
  readPush(push: { query: URLSearchParams; body: string }): Push;
};

export type MiniProgramLogin = {
  readonly name: string;
  /** The code to scan, PNG or JPEG. `scene`: at most 32 of 0-9A-Za-z!#$&'()*+,/:;=?@-._~. `page`: login page unless given. */
  codeImage(ask: { scene: string; page?: string }): Promise<Uint8Array>;
  /** Who a fresh `wx.login` code belongs to; each works once, for five minutes. ProviderRefused 'bad-code' otherwise. */
  openidOf(jsCode: string): Promise<{ openid: string; unionid: string | null }>;
};

/** Null: not configured, and the pretend outside world is off. The site then does not offer that way in. */
export type AccountProviders = {
  sms: SmsCarrier | null;
  officialAccount: OfficialAccountLogin | null;
  miniProgram: MiniProgramLogin | null;
};

export const NO_PROVIDERS: AccountProviders = { sms: null, officialAccount: null, miniProgram: null };

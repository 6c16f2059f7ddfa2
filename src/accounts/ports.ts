/**
 * The ports to other companies: an SMS carrier, a WeChat official account, a WeChat mini program. The adapters are in
 * server/adapters, one vendor a file; tests/providers holds what each must keep.
 */

/** Why a provider refused, as far as the site acts on it. */
export type RefusalReason =
  /** The carrier's limit of messages to one phone. */
  | 'too-many'
  | 'bad-number'
  /** A js code that is used, expired or invented. */
  | 'bad-code'
  /** Keys, signature, permissions: the operator has to act. */
  | 'not-authorised'
  /** The account with the provider is empty: the operator has to act. */
  | 'no-credit'
  | 'other';

/** The provider refused. Asking again in the same way changes nothing. `vendorCode` is the vendor's code. */
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
 * The provider could not be reached, failed, or sent an answer that cannot be read. `isOutcomeUnknown`: the provider
 * may have done what was asked all the same (no answer in time), so a call that must not happen twice is not repeated.
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
   * Sends one verification code to one phone (11 digits, China). `reference` identifies the message in the carrier's
   * records, at most 32 of [0-9A-Za-z_-]. Resolves once the carrier has accepted the message. Never tries twice. Throws
   * ProviderRefused, ProviderUnavailable.
   */
  send(message: { phone: string; code: string; reference: string }): Promise<'sent'>;
  /**
   * Tells a phone that its account is now bound to another phone, whose last four digits are `tail`. Null when the
   * operator has no template for this message: carriers in China send approved texts only. Otherwise like `send`.
   */
  tellReplaced: ((notice: { phone: string; tail: string; reference: string }) => Promise<'sent'>) | null;
};

/** A request to the official account's server URL. */
export type Push =
  /** A push that is not from WeChat: forged, altered, older than five minutes, or for another account. Answer 403. */
  | { kind: 'not-genuine'; why: string }
  /** A genuine push that is not a scan of a login QR code. Answer success. */
  | { kind: 'other' }
  /** WeChat repeats a push that is not answered within 5 s: the same openid, scene and `at` again. */
  | { kind: 'scan'; scene: string; openid: string; event: 'SCAN' | 'subscribe'; /** Epoch seconds. */ at: number };

/** Every call to WeChat throws ProviderRefused and ProviderUnavailable. */
export type OfficialAccountLogin = {
  readonly name: string;
  /**
   * Creates a QR code; WeChat pushes an event for everybody who scans it. `scene`: 1–64 characters; 60 s ≤ ttlSeconds ≤
   * 30 days. `qrUrl` is the content of the code, which the site draws itself.
   */
  createQr(ask: { scene: string; ttlSeconds: number }): Promise<{ qrUrl: string; ttlSeconds: number }>;
  /**
   * Returns the unionid of a follower; null when the account belongs to no Open Platform account, or the person no
   * longer follows it.
   */
  unionidOf(openid: string): Promise<string | null>;
  /**
   * Answers WeChat's check of the server URL, a GET: returns the text to answer with, or null when the request is not
   * WeChat's (answer 403).
   */
  echo(query: URLSearchParams): string | null;
  /** Reads a POST to the server URL, safe mode only. `body` as it came, at most 64 KiB. Answer `success` within 5 s. */
  readPush(push: { query: URLSearchParams; body: string }): Push;
};

export type MiniProgramLogin = {
  readonly name: string;
  /**
   * Returns the QR code to scan, PNG or JPEG. `scene`: at most 32 of 0-9A-Za-z!#$&'()*+,/:;=?@-._~. `page`: the login
   * page unless given; null for the page that the program opens with.
   */
  codeImage(ask: { scene: string; page?: string | null }): Promise<Uint8Array>;
  /**
   * Returns the person behind a fresh `wx.login` code; each code works once, for five minutes. Throws ProviderRefused
   * 'bad-code' otherwise.
   */
  openidOf(jsCode: string): Promise<{ openid: string; unionid: string | null }>;
};

/**
 * The configured providers. Null: the provider is not configured and the pretend outside world is off; the site then
 * does not offer that login method.
 */
export type AccountProviders = {
  sms: SmsCarrier | null;
  officialAccount: OfficialAccountLogin | null;
  miniProgram: MiniProgramLogin | null;
};

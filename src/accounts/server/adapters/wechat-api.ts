import type { Db } from '../../../platform/db/client.ts';
import type { Outbound, OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { WeChatApp } from './provider-settings.ts';
import { ProviderRefused, ProviderUnavailable, type RefusalReason } from '../../ports.ts';
import { shareAccessTokens } from './access-tokens.ts';
import { askProvider, jsonOf } from './read-answer.ts';

const WECHAT = 'https://api.weixin.qq.com';
/** The access token has expired, or a newer token has replaced it. */
const STALE_TOKEN = new Set([40001, 40014, 42001]);
/** WeChat's "system busy": nothing was done. */
const BUSY = -1;

const REASONS: Record<number, RefusalReason> = {
  40002: 'not-authorised',
  40013: 'not-authorised',
  40125: 'not-authorised',
  // The server's address is not on the list of mp.weixin.qq.com.
  40164: 'not-authorised',
  48001: 'not-authorised',
  50002: 'not-authorised',
  40029: 'bad-code',
  40163: 'bad-code',
  45009: 'too-many',
  45011: 'too-many',
};

type WeChatCall = { path: string; query?: Record<string, string>; json?: unknown };

/** The part of WeChat's API that official account and mini program share: access tokens, and errors in JSON with HTTP 200. */
type WeChatApi = {
  /** Calls without an access token: the app's keys are in the query. */
  open(call: WeChatCall): Promise<Record<string, unknown>>;
  /** Calls with an access token, and once more with a new token when WeChat says that the first has expired. */
  call(call: WeChatCall): Promise<Record<string, unknown>>;
  /** Calls with an access token and returns a picture. */
  picture(call: WeChatCall): Promise<Uint8Array>;
};

export function createWeChatApi(options: { provider: string; app: WeChatApp; db: Db; outbound: Outbound }): WeChatApi {
  const { provider, app, db, outbound } = options;
  const base = app.apiUrl ?? WECHAT;

  const send = ({ path, query, json }: WeChatCall): Promise<OutboundAnswer> =>
    askProvider(provider, outbound, {
      url: new URL(`${path}?${new URLSearchParams(query)}`, base),
      method: json === undefined ? 'GET' : 'POST',
      ...(json !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) }),
    });

  const tokens = shareAccessTokens({
    db,
    account: `wechat/${app.appId}`,
    async ask() {
      const asked = { grant_type: 'client_credential', appid: app.appId, secret: app.appSecret, force_refresh: false };
      const answer = refuseErrors(
        provider,
        jsonOf(provider, await send({ path: '/cgi-bin/stable_token', json: asked })),
      );
      const { access_token: token, expires_in: seconds } = answer;
      if (typeof token === 'string' && typeof seconds === 'number') return { token, seconds };
      throw new ProviderUnavailable(provider, 'an answer without access token', false);
    },
  });

  /** Sends a call with an access token. `read` converts the answer or throws; a stale token is replaced once. */
  async function withToken<T>(call: WeChatCall, read: (answer: OutboundAnswer) => T): Promise<T> {
    const token = await tokens(null);
    const sendWith = async (access_token: string) =>
      read(await send({ ...call, query: { access_token, ...call.query } }));
    try {
      return await sendWith(token);
    } catch (error) {
      if (!(error instanceof ProviderRefused) || !STALE_TOKEN.has(Number(error.vendorCode))) throw error;
      return sendWith(await tokens(token));
    }
  }

  const readObject = (answer: OutboundAnswer) => refuseErrors(provider, jsonOf(provider, answer));
  return {
    open: async (call) => readObject(await send(call)),
    call: (call) => withToken(call, readObject),
    picture: (call) => withToken(call, (answer) => readPicture(provider, answer)),
  };
}

/**
 * Returns a picture, recognised by its first bytes: WeChat sends errors as JSON with HTTP 200, and not always with that
 * content type.
 */
export function readPicture(provider: string, answer: OutboundAnswer): Uint8Array {
  const start = answer.body.subarray(0, 4).toString('latin1');
  if (start === '\x89PNG' || start.startsWith('\xff\xd8\xff')) return new Uint8Array(answer.body);
  refuseErrors(provider, jsonOf(provider, answer));
  throw new ProviderUnavailable(provider, 'no picture', false);
}

function refuseErrors(provider: string, answer: Record<string, unknown>): Record<string, unknown> {
  const { errcode } = answer;
  if (typeof errcode !== 'number' || errcode === 0) return answer;
  if (errcode === BUSY) throw new ProviderUnavailable(provider, 'busy', false);
  const reason = REASONS[errcode] ?? (STALE_TOKEN.has(errcode) ? 'not-authorised' : 'other');
  throw new ProviderRefused(provider, reason, String(errcode));
}

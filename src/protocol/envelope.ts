import type { Code } from './codes.ts';
import { CODE } from './codes.ts';

/** The body of every API answer (C-01). `infor` repeats `data` on the calls that the spec reads through that name. */
export type Envelope<T> = { code: number; message: string; data: T; infor?: T };

export const SUCCESS_MESSAGE = 'success';

/**
 * An answer with a full output whose code is not 0: getDetail to a visitor is code 10000 with the detail filled (C-21),
 * search page 2 of a non-member is code 32 with the real total (C-37). One that is not `isCacheable` lacks what could not be read
 * just now: it is kept for nobody.
 */
export class CodedAnswer<T> {
  readonly code: Code;
  readonly message: string;
  readonly data: T;
  readonly isCacheable: boolean;
  constructor(code: Code, message: string, data: T, { isCacheable = true } = {}) {
    this.code = code;
    this.message = message;
    this.data = data;
    this.isCacheable = isCacheable;
  }
}

/** An expected refusal. Made only by the named makers below, or by a slice's own `rules.ts` maker built on them. */
export class Refusal extends Error {
  readonly code: Code;
  readonly data: Record<string, unknown> | null;
  /** The transport's status; business outcomes are 200 (C-01). */
  readonly status: number;
  constructor(code: Code, message: string, data: Record<string, unknown> | null = null, status = 200) {
    super(message);
    this.code = code;
    this.data = data;
    this.status = status;
  }
}

export const failed = (message: string) => new Refusal(CODE.failed, message);
export const notLoggedIn = () => new Refusal(CODE.notLoggedIn, '请先登录');
export const sessionInvalid = () => new Refusal(CODE.sessionInvalid, '登录状态已失效，请重新登录');
export const notFound = () => new Refusal(CODE.notFound, '内容不存在或已下架');
export const invalid = (message: string, field: string) => new Refusal(CODE.invalid, message, { field });
export const notPermitted = (message: string) => new Refusal(CODE.notPermitted, message);
export const conflict = (message: string) => new Refusal(CODE.conflict, message);
export const tooFrequent = (retryAfterSeconds: number) =>
  new Refusal(CODE.tooFrequent, `操作过于频繁，请 ${waitText(retryAfterSeconds)}后再试`, {
    retry_after: retryAfterSeconds,
  });

/** Returns a wait in whole units, rounded up: 42 秒, 15 分钟, 3 小时. */
export function waitText(seconds: number): string {
  if (seconds < 120) return `${Math.max(Math.ceil(seconds), 1)} 秒`;
  if (seconds <= 5_400) return `${Math.ceil(seconds / 60)} 分钟`;
  return `${Math.ceil(seconds / 3_600)} 小时`;
}
export const unavailable = () => new Refusal(CODE.unavailable, '服务暂时不可用，请稍后再试', null, 503);
/** Makes a refusal of a request that reaches no verb: `status` is the transport's own (400, 404, 405, 413, 415). */
export const badRequest = (status: 400 | 404 | 405 | 413 | 415, message: string) =>
  new Refusal(status === 404 ? CODE.notFound : CODE.invalid, message, null, status);

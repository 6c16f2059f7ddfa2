import type { Log } from '../../log.ts';
import { type Share, shareNothing } from '../answers/shared-answers.ts';
import type { Limiter } from '../limits/limiter.ts';

/** The session of the caller. */
export type Session = {
  id: number;
  userId: number;
  sid: string;
  /** The token as the caller sent it in a header; missing where the cookies of a page identified the session. */
  token?: string;
};

/** The request being answered, as far as a verb may know it. */
type RequestContext = {
  id: string;
  ip: string;
  /** `http://host` of the request as the Host header has it; "" where there is no request. Not to be trusted. */
  origin: string;
  userAgent: string;
  /** The visitor's side of the connection is https: cookies are then marked Secure. */
  isSecure: boolean;
  /** The request was made on this machine, through no proxy (platform/http/client-address.ts). */
  isFromThisMachine: boolean;
  /** The value of a cookie the browser sent, or "". Never a credential of a POST (C-02). */
  cookie(name: string): string;
  /** Sent with the answer when it is not a refusal: cookies of a login, for one. */
  replyHeaders: Headers;
  share: Share;
};

/** The request context outside any request: in jobs and on the command line. */
export const NO_REQUEST: RequestContext = {
  id: '-',
  ip: '',
  origin: '',
  userAgent: '',
  isSecure: false,
  isFromThisMachine: false,
  cookie: () => '',
  // These headers are never sent, so each reader gets a fresh object to write to.
  get replyHeaders() {
    return new Headers();
  },
  share: shareNothing,
};

/** The fields of the context that the API itself needs; the context that verbs get has more. */
export type ApiContext = {
  log: Log;
  limiter: Limiter;
  /** Null for visitors, jobs and the command line. */
  session: Session | null;
  request: RequestContext;
};

/**
 * Returns the origin that visitors see where PUBLIC_URL does not say it. Behind a proxy that ends TLS the address of the
 * request begins with http.
 */
export const visitorOrigin = (url: URL, isHttps: boolean): string => (isHttps ? `https://${url.host}` : url.origin);

/** The reply codes of C-04. The browser switches on these, never on the text of a message. */
export const CODE = {
  ok: 0,
  failed: 1,
  sessionInvalid: 2,
  /** Only in answers about a scan login, as are the two codes below (C-61). */
  sceneScanned: 3,
  notFound: 4,
  sceneCancelled: 5,
  sceneOver: 6,
  insufficient: 31,
  searchLimit: 32,
  downloadLimit: 33,
  readLimit: 34,
  invalid: 40,
  tooFrequent: 41,
  wrongCode: 42,
  humanCheck: 43,
  notPermitted: 50,
  conflict: 60,
  notLoggedIn: 10000,
  serverError: 500,
  unavailable: 503,
} as const;

export type Code = (typeof CODE)[keyof typeof CODE];

/**
 * GET → image/png: the code that opens the mini program (§2, right tool bar). 404 when no mini program is configured, 503 when
 * WeChat does not answer.
 */
export const MINI_HOME_QR_PATH = '/api/account/getMiniHomeCode';

/** GET → image/svg+xml: the code that leads to the official account, or to this site where there is none (C-93). */
export const FOLLOW_QR_PATH = '/api/account/getFollowCode';

/**
 * GET → image/png: the code that opens the mini program (§2, right tool bar). 404 when no mini program is configured, 503 when
 * WeChat does not answer.
 */
export const MINI_HOME_QR_PATH = '/api/account/getMiniHomeCode';

/**
 * Logouts that the server has not confirmed, in localStorage: a line for each, its moment in Unix milliseconds and the token. They
 * outlive the page, so that a later page of this browser ends the session at the server.
 */
export const NOTE = 'ceku-logouts';

/** Notes that the session of `token` is to be ended. Where storage is blocked nothing is noted. */
export function noteLogout(token: string): void {
  try {
    window.localStorage.setItem(NOTE, `${window.localStorage.getItem(NOTE) ?? ''}${Date.now()} ${token}\n`);
  } catch {}
}

export function hasNotedLogouts(): boolean {
  try {
    return window.localStorage.getItem(NOTE) !== null;
  } catch {
    return false;
  }
}

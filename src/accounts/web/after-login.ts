/** Notes in sessionStorage for the page that reloads after a login: whether to say 登录成功, and the action to resume. */
const LOGGED_IN = 'ceku-logged-in';
const RESUME = 'ceku-resume';
/** A note that is older belongs to another visit. */
const VALID_MS = 60_000;

/** Leaves a note for the reloaded page: to say 登录成功, and to continue with `resume` (useResume) when given. */
export function leaveLoginNote(resume: string | null): void {
  const at = Date.now();
  // Where storage is blocked the page reloads all the same; only the note is lost.
  try {
    window.sessionStorage.setItem(LOGGED_IN, `${at}`);
    if (resume === null) window.sessionStorage.removeItem(RESUME);
    else window.sessionStorage.setItem(RESUME, `${at} ${resume}`);
  } catch {}
}

/** Returns true once after a login, and removes the note. */
export function takeLoginNote(): boolean {
  return isFresh(take(LOGGED_IN, () => true));
}

/** Returns true once when the login interrupted the action `key`, and removes the note. */
export function takeResume(key: string): boolean {
  return isFresh(take(RESUME, (note) => note.slice(note.indexOf(' ') + 1) === key));
}

const isFresh = (note: string | null) => note !== null && Date.now() - Number.parseInt(note, 10) < VALID_MS;

function take(name: string, isWanted: (note: string) => boolean): string | null {
  try {
    const note = window.sessionStorage.getItem(name);
    if (note === null || !isWanted(note)) return null;
    window.sessionStorage.removeItem(name);
    return note;
  } catch {
    return null;
  }
}

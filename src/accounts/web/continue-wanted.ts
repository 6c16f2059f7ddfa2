import { reloadPage } from '../../ui/feedback/reload-page.ts';

/**
 * Remembers the action of a reader that a login or a payment interrupted, and continues it afterwards: notes in
 * sessionStorage, which this tab alone reads, for the page that is loaded then.
 */
const SAID = 'ceku-said';
const RESUME = 'ceku-resume';
const WANTED = 'ceku-wanted';
/** An older note for a loaded page belongs to another visit. */
const NOTE_MS = 60_000;
/** How long a reader may take to pay on another page. */
const WANTED_MS = 2 * 3_600_000;

/**
 * An action by its key, as useResume knows it (`download:9`), and the page where it is done: path, query and hash. Null for
 * a wish that the page fulfils by its address alone, such as `/detail/9#p=12`. Without `address` it is the present page.
 */
export type Wanted = { key: string | null; address?: string };

/** Keeps what the reader wants on this page while they leave it to pay. The last wish of a tab counts. */
export function keepWanted({ key, address = here() }: Wanted): void {
  write(WANTED, `${key ?? ''} ${address}`);
}

/**
 * Continues the action that a login or a payment interrupted: reloads the page of `wanted`, which shows `message` once and
 * runs the action by useResume. Without `wanted` it continues the note of keepWanted; without a note, or with null, it only
 * reloads the present page.
 */
export function continueWanted(message: string, wanted: Wanted | null = takeWanted()): void {
  write(SAID, message);
  if (wanted?.key) write(RESUME, wanted.key);
  else remove(RESUME);
  const address = wanted?.address ?? here();
  if (pageOf(address) !== pageOf(here())) {
    window.location.assign(address);
    return;
  }
  // An address that differs in its hash alone would not be loaded; and a page that finds the state of its history entry
  // shows that state instead of its address.
  if (wanted?.address) window.history.replaceState(null, '', address);
  reloadPage();
}

/** Returns the message that continueWanted left for this page, once; null when there is none. */
export const takeSaid = (): string | null => take(SAID, NOTE_MS);

/** Returns true once when the action `key` is to be continued on this page. */
export const takeResume = (key: string): boolean => take(RESUME, NOTE_MS, (text) => text === key) !== null;

/** Returns what follows `prefix` in the key of the action that is to be continued here, once; null when it has another key. */
export const takeResumeAfter = (prefix: string): string | null =>
  take(RESUME, NOTE_MS, (text) => text.startsWith(prefix))?.slice(prefix.length) ?? null;

/** Returns the note of keepWanted, once; null when there is none. */
export function takeWanted(): Wanted | null {
  const [key = '', address = ''] = take(WANTED, WANTED_MS)?.split(' ') ?? [];
  // An address of this site alone: `//host` would lead elsewhere.
  return /^\/(?!\/)/.test(address) ? { key: key === '' ? null : key, address } : null;
}

function here(): string {
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}

const pageOf = (address: string) => address.split('#', 1)[0];

// Where storage is blocked the page is loaded all the same; only the notes are lost.

function write(name: string, text: string): void {
  try {
    window.sessionStorage.setItem(name, `${Date.now()} ${text}`);
  } catch {}
}

function remove(name: string): void {
  try {
    window.sessionStorage.removeItem(name);
  } catch {}
}

/** Returns the text of a note that is no older than `validMs`, and removes it; null when there is none that fits. */
function take(name: string, validMs: number, isWanted: (text: string) => boolean = () => true): string | null {
  try {
    const note = window.sessionStorage.getItem(name);
    const text = note?.slice(note.indexOf(' ') + 1) ?? null;
    if (note === null || text === null || !isWanted(text)) return null;
    window.sessionStorage.removeItem(name);
    return Date.now() - Number.parseInt(note, 10) < validMs ? text : null;
  } catch {
    return null;
  }
}

import { readCredential } from '../../accounts/web/credentials.ts';
import type { Target } from './ask-favorites.ts';

/**
 * The favourites of the member, as this tab knows them: shared by all buttons of a page, so that a document has one state in its
 * card, its heading and its viewer. Pages that visitors share hold nothing of it. The
 * states of every session are kept apart, as a login in another tab changes the member of this one.
 */
const known = new Map<string, boolean>();
/** What the member pressed since the server last answered, or since a page came with the state. */
const pressed = new Map<string, boolean>();
const listeners = new Set<() => void>();
/** The targets of the buttons on the page, one entry a button, and their keys. */
const shown = new Map<Target, string>();
let isAsking = false;
let questions = 0;
/** By target: the number of the latest question to the server that was answered about the target. */
const answered = new Map<string, number>();

export const keyOf = ({ type, id }: Target) => `${readCredential('token')}:${type}:${id}`;

/** Returns whether a target is a favourite; null until the server has answered. */
export function findState(target: Target): boolean | null {
  const key = keyOf(target);
  return pressed.get(key) ?? known.get(key) ?? null;
}

export function setState(target: Target, isKept: boolean, states = pressed): void {
  states.set(keyOf(target), isKept);
  for (const tell of listeners) tell();
}

export function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/**
 * Says that a button of the target is on the page. `loaded`: the state that came with the page; null for a target that
 * the server is asked about, together with all others of the same moment. Returns the function that takes it back.
 */
export function showTarget(target: Target, loaded: boolean | null): () => void {
  const key = keyOf(target);
  // The state that came with the page is old when a button is added to it, as when its viewer is opened. Otherwise it is newer than what was pressed.
  if (loaded !== null && ![...shown.values()].includes(key)) {
    pressed.delete(key);
    setState(target, loaded, known);
  } else if (findState(target) === null) askSoon();
  shown.set(target, key);
  if (shown.size === 1) document.addEventListener('visibilitychange', askAgain);
  return () => {
    shown.delete(target);
    if (shown.size === 0) document.removeEventListener('visibilitychange', askAgain);
  };
}

/** Asks about all targets of the page: documents are kept and let go in other tabs. */
function askAgain(): void {
  if (!document.hidden) void ask([...shown.keys()]);
}

/** Asks once all buttons that appear together have said so. */
function askSoon(): void {
  if (isAsking) return;
  isAsking = true;
  setTimeout(() => {
    isAsking = false;
    void ask([...shown.keys()].filter((target) => findState(target) === null));
  });
}

async function ask(targets: Target[]): Promise<void> {
  const question = ++questions;
  const before = new Map(pressed);
  // When the server cannot be asked, or the script cannot be loaded, the buttons stay as they are.
  const found = await import('./ask-favorites.ts').then(({ askFavored }) => askFavored(targets)).catch(() => null);
  if (!found) return;
  const kept = new Set(found.map(keyOf));
  for (const target of targets) {
    const key = keyOf(target);
    // A press of the member in the meantime is newer than the answer.
    if (pressed.get(key) !== before.get(key)) continue;
    // Answers may arrive out of order.
    if (question < (answered.get(key) ?? 0)) continue;
    answered.set(key, question);
    pressed.delete(key);
    known.set(key, kept.has(key));
  }
  for (const tell of listeners) tell();
}

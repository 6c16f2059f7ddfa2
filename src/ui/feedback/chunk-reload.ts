import { isReloadWanted, reloadPage } from './reload-page.ts';

const KEY = 'ceku:reloaded-at';
const GUARD_MS = 60_000;

/** True when a script or style of the page could not be fetched, usually because a new release has replaced it. */
export function isChunkFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script|error loading .*module|unable to preload/i.test(
      error.message,
    )
  );
}

/** True when a reload is allowed at `now`: at most one in 60 s (C-97). Epoch milliseconds; 0: never reloaded. */
export function mayReload(lastReloadAt: number, now: number): boolean {
  return now - lastReloadAt > GUARD_MS;
}

/** Uses up the one reload of this minute; false when it was used already. Only in the browser. */
function takeReload(): boolean {
  const now = Date.now();
  try {
    if (!mayReload(Number(sessionStorage.getItem(KEY) ?? 0), now)) return false;
    sessionStorage.setItem(KEY, String(now));
    return true;
  } catch {
    // The browser keeps nothing for the page: a page that a reload has opened does not reload again.
    const [opened] = performance.getEntriesByType('navigation');
    return opened !== undefined && 'type' in opened && opened.type !== 'reload';
  }
}

/** Reloads the page when `error` is a chunk failure and the guard allows it. Only in the browser. */
export function reloadOnceFor(error: unknown): void {
  if (!isChunkFailure(error) || !navigator.onLine || !takeReload()) return;
  reloadPage();
}

/**
 * React Router reloads the page by itself, without a limit, when the script of a page is missing. In browsers with the
 * Navigation API this guard limits those reloads as well: `onRefused` is called instead of a second reload within 60 s,
 * and of any reload while offline, which would end on the browser's error page. Returns a function that removes the
 * guard.
 */
export function guardReloads(onRefused: () => void): () => void {
  if (!('navigation' in window)) return () => {};
  const { navigation } = window;
  const onNavigate = (event: NavigateEvent) => {
    const isByScript = event.navigationType === 'reload' && !event.userInitiated;
    if (!isByScript || isReloadWanted() || (window.navigator.onLine && takeReload())) return;
    event.preventDefault();
    onRefused();
  };
  navigation.addEventListener('navigate', onNavigate);
  return () => navigation.removeEventListener('navigate', onNavigate);
}

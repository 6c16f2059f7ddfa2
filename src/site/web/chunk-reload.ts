const KEY = 'ceku:reloaded-at';
const GUARD_MS = 60_000;

/** A script or style of the page could not be fetched: usually a new release has replaced it. */
export function isChunkFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script|error loading .*module|unable to preload/i.test(
      error.message,
    )
  );
}

/** Whether a reload is allowed now: at most one in 60 s (C-97). */
export function mayReload(lastReloadAt: number, now: number): boolean {
  return now - lastReloadAt > GUARD_MS;
}

/** Reloads the page when `error` is a chunk failure and the guard allows it. Only in the browser. */
export function reloadOnceFor(error: unknown): void {
  if (!isChunkFailure(error) || !navigator.onLine) return;
  const now = Date.now();
  if (!mayReload(Number(sessionStorage.getItem(KEY) ?? 0), now)) return;
  sessionStorage.setItem(KEY, String(now));
  window.location.reload();
}

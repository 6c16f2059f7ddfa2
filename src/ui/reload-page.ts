let isWanted = false;

/** Reloads the page on purpose, after a login for one. The guard against endless reloads lets it pass (C-97). */
export function reloadPage(): void {
  isWanted = true;
  window.location.reload();
}

/** Whether the reload that is about to happen is one of reloadPage. */
export const isReloadWanted = () => isWanted;

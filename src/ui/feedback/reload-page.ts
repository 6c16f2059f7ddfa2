let isWanted = false;

/**
 * Reloads the page on purpose, for example after a login. The guard against endless reloads allows this reload (C-97).
 */
export function reloadPage(): void {
  isWanted = true;
  window.location.reload();
}

/** True when the reload that is about to happen was started by reloadPage. */
export const isReloadWanted = () => isWanted;

import { useSyncExternalStore } from 'react';

/** C-101: 2 shows cards, 1 shows rows. Stored in this browser, never sent. */
type Display = 1 | 2;

const KEY = 'ceku:display';
const listeners = new Set<() => void>();

/**
 * Script that runs before the first paint. Both displays have the same markup, and CSS chooses by this attribute: a stored choice causes
 * neither a hydration mismatch nor a layout shift.
 */
export const DISPLAY_SCRIPT = `try{if(localStorage.getItem('${KEY}')==='1')document.documentElement.dataset.display='list'}catch{}`;

export function setDisplay(display: Display): void {
  try {
    localStorage.setItem(KEY, String(display));
  } catch {
    // Storage may be denied: the choice then lasts until the page is left.
  }
  if (display === 1) document.documentElement.dataset['display'] = 'list';
  else delete document.documentElement.dataset['display'];
  for (const listener of listeners) listener();
}

export function useDisplay(): Display {
  return useSyncExternalStore(
    subscribe,
    () => (document.documentElement.dataset['display'] === 'list' ? 1 : 2),
    () => 2,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

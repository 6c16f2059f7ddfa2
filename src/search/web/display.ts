import { useSyncExternalStore } from 'react';

/** C-101: 2 preview-style (cards), 1 list-style (rows). Of this browser alone, never sent. */
export type Display = 1 | 2;

const KEY = 'ceku:display';
const listeners = new Set<() => void>();

/**
 * Runs before the first paint: both looks are the same markup, and styles choose by this attribute. So a remembered
 * list is a list from the start, with nothing to hydrate differently and nothing that moves.
 */
export const DISPLAY_SCRIPT = `try{if(localStorage.getItem('${KEY}')==='1')document.documentElement.dataset.display='list'}catch{}`;

export function setDisplay(display: Display): void {
  try {
    localStorage.setItem(KEY, String(display));
  } catch {
    // Storage may be denied; the choice then lasts as long as the page.
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

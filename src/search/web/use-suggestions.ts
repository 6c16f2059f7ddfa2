import { useCallback, useRef, useState } from 'react';

/** `count` is null for one's own recent searches. */
export type Suggestion = { text: string; count: number | null };

const PAUSE_MS = 80;

/** What to offer for a field: one's recent searches while it is empty, completions while there is something in it. */
export function useSuggestions() {
  const [items, setItems] = useState<Suggestion[]>([]);
  const timer = useRef(0);
  // Answers may come out of order: only that of the last question counts.
  const asked = useRef(0);

  const offer = useCallback((typed: string) => {
    window.clearTimeout(timer.current);
    const question = ++asked.current;
    if (typed.trim() === '') {
      setItems(recentSearches().map((text) => ({ text, count: null })));
      return;
    }
    timer.current = window.setTimeout(() => {
      void import('./ask-suggestions.ts')
        .then(({ askSuggestions }) => askSuggestions(typed))
        .then((found) => {
          if (question === asked.current) setItems(found);
        })
        // The script could not be loaded: the field works without.
        .catch(() => {});
    }, PAUSE_MS);
  }, []);
  const clear = useCallback(() => {
    window.clearTimeout(timer.current);
    asked.current++;
    setItems([]);
  }, []);
  const forget = useCallback(() => {
    forgetSearches();
    setItems([]);
  }, []);
  return { items, offer, clear, forget };
}

/** The last searches of this browser, newest first. Never sent anywhere; storage may be denied, and then there are none. */
const KEY = 'ceku:searches';
const MOST = 8;

export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(text: string): void {
  write([text, ...recentSearches().filter((other) => other !== text)].slice(0, MOST));
}

export function forgetSearches(): void {
  write([]);
}

function write(searches: string[]): void {
  try {
    if (searches.length > 0) localStorage.setItem(KEY, JSON.stringify(searches));
    else localStorage.removeItem(KEY);
  } catch {
    // Nothing is kept then.
  }
}

import { useCallback, useRef, useState } from 'react';

/** `count` is null for recent searches. `related` marks a word that stands for the typed one instead of completing it. */
type Suggestion = { text: string; count: number | null; related?: 1 | undefined };

const DEBOUNCE_MS = 80;

/** Suggests recent searches for an empty field, completions for a field with text. */
export function useSuggestions() {
  const [items, setItems] = useState<Suggestion[]>([]);
  const timer = useRef(0);
  // Answers may arrive out of order: only the answer to the last request counts.
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
        // The script could not be loaded: the field works without suggestions.
        .catch(() => {});
    }, DEBOUNCE_MS);
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

/** The recent searches of this browser are stored newest first and never sent. Without storage there are none. */
const KEY = 'ceku:searches';
const MAX_RECENT = 8;

function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string').slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(text: string): void {
  write([text, ...recentSearches().filter((other) => other !== text)].slice(0, MAX_RECENT));
}

function forgetSearches(): void {
  write([]);
}

function write(searches: string[]): void {
  try {
    if (searches.length > 0) localStorage.setItem(KEY, JSON.stringify(searches));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is denied: nothing is stored.
  }
}

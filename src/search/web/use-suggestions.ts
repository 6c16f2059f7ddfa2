import { useCallback, useRef, useState } from 'react';
import { forgetSearches, recentSearches } from './recent-searches.ts';

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

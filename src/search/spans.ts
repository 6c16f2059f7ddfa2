/** A piece of a text: from `start` up to `end` (excluded), in UTF-16 units. */
export type Span = { start: number; end: number };

/** Returns the UTF-16 boundaries of the words that a text was cut into. */
export function bordersOf(words: string[]): Span[] {
  let end = 0;
  return words.map((word) => {
    const start = end;
    end += word.length;
    return { start, end };
  });
}

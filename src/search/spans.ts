/** A piece of a text: from `start` up to `end` (excluded), in UTF-16 units or in characters, as the function says that made it. */
export type Span = { start: number; end: number };

/** Returns where the words of a text that was cut into them stand, in UTF-16 units. */
export const utf16SpansOf = (words: readonly string[]): Span[] => spansOf(words.map((word) => word.length));

/** Returns where the words of a text that was cut into them stand, in characters. */
export const characterSpansOf = (words: readonly string[]): Span[] => spansOf(words.map((word) => [...word].length));

function spansOf(lengths: number[]): Span[] {
  let end = 0;
  return lengths.map((length) => {
    const start = end;
    end += length;
    return { start, end };
  });
}

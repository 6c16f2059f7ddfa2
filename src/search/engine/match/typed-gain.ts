import { ALL_FIELDS, FIELD_BITS } from '../format/layout.ts';
import { TYPED_SHARE } from '../format/ranking.ts';
import { gallop, type PostingList } from './postings.ts';
import type { Segment } from './segment.ts';

/**
 * Returns what the forms that were typed are worth in a document beyond others that mean the same, at most TYPED_SHARE of what their words are
 * worth there. Called with ascending places, only for those that may be among the best: hits are many.
 */
export type TypedGain = (place: number) => number;

/**
 * Prepares the gain for a segment; null where no word has another form. `typed`: by word, the lists of the typed form, [] where there is no
 * other. `gains`: as eachMatch has them.
 */
export function typedGainOf(
  { columns: { lengths } }: Segment,
  typed: PostingList[][],
  gains: Float64Array[],
): TypedGain | null {
  const words = typed.flatMap((lists, word) => {
    const table = gains[word] ?? new Float64Array(0);
    const cursors = lists.map((list) => ({ list, at: list.from }));
    return lists.length > 0 ? [{ table, cursors }] : [];
  });
  if (words.length === 0) return null;
  return (place) => {
    let gain = 0;
    for (const { table, cursors } of words) {
      let fields = ALL_FIELDS;
      for (const cursor of cursors) {
        const { data, to } = cursor.list;
        cursor.at = gallop(data, cursor.at, to, place);
        const posting = cursor.at < to ? (data[cursor.at] ?? 0) : 0;
        // A field holds the form when it holds all of its lexemes.
        fields &= posting >>> FIELD_BITS === place ? posting : 0;
      }
      if (fields > 0) gain += TYPED_SHARE * (table[((lengths[place] ?? 0) << FIELD_BITS) | fields] ?? 0);
    }
    return gain;
  };
}

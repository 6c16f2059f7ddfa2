import { fileKindOf, type FileType } from '../library/file-types.ts';
import { dayText } from '../library/rules.ts';
import { indexLexemes, type Lexeme, type QueryWord } from './words.ts';

/**
 * Builds `tsvector` and `tsquery` literals. PostgreSQL's own parser and locale are not used, and no user input can become an operator.
 */

/** Quotes a lexeme: quotes and backslashes are doubled. */
function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Returns a tsvector literal of lexemes without positions. */
export function lexemesLiteral(lexemes: Iterable<string>): string {
  return Array.from(lexemes, quote).join(' ');
}

export type IndexedText = {
  name: string;
  keyword: string;
  /** Organization and industry: they are found, but rank below the name. */
  labels: string[];
  /** What the plan states, as lexemes (fact-words.ts). */
  facts: string[];
  fileType: FileType;
  createdAt: Date;
};

/** Returns the literal of `search_entries.tokens`: name A, keywords B, organization and industry C, filter marks without weight. */
export function tokensLiteral(text: IndexedText): string {
  const places = new Map<string, string[]>();
  const put = (lexemes: Iterable<string>, place: string) => {
    for (const lexeme of lexemes) {
      const known = places.get(lexeme);
      if (known) known.push(place);
      else places.set(lexeme, [place]);
    }
  };
  // All lexemes of a field share one position: queries read the weight only, and the vector stays small.
  put(indexLexemes(text.name), '1A');
  put(indexLexemes(text.keyword), '2B');
  put(indexLexemes(text.labels.join('\n')), '3C');
  put(text.facts, '3C');
  const words = [...places].map(([lexeme, at]) => `${quote(lexeme)}:${at.join(',')}`);
  return [...words, ...[typeMark(fileKindOf(text.fileType).kind), yearMark(yearOf(text.createdAt))].map(quote)].join(
    ' ',
  );
}

// No word contains a colon, so that no query can match a mark. Facts (`b:`, `p:`) have letters of their own.
export const typeMark = (kind: string) => `f:${kind}`;
export const yearMark = (year: number) => `y:${year}`;

const yearOf = (at: Date) => Number(dayText(at).slice(0, 4));

/** Returns a tsquery literal that requires all `words` and `marks`; `weight` limits the words to one field. "" when there are none. */
export function queryLiteral(words: QueryWord[], marks: string[] = [], weight: '' | 'A' | 'B' = ''): string {
  const ask = ({ text, isPrefix }: Lexeme) => {
    const flags = `${isPrefix ? '*' : ''}${weight}`;
    return flags ? `${quote(text)}:${flags}` : quote(text);
  };
  const asked = words.map(({ forms }) => {
    const each = forms.map(({ lexemes }) => lexemes.map(ask).join(' & '));
    return each.length > 1 ? `(${each.join(' | ')})` : (each[0] ?? '');
  });
  return [...asked, ...marks.map(quote)].join(' & ');
}

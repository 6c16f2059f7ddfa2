import { fileKindOf, type FileType } from '../library/file-types.ts';
import { yearOf } from '../library/rules.ts';
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

type IndexedText = {
  name: string;
  keyword: string;
  /** Organization and industry: they are found, but rank below the name. */
  labels: string[];
  /** The facts that the plan states, as lexemes (fact-words.ts). */
  facts: string[];
  fileType: FileType;
  createdAt: Date;
};

/** Returns the literal of `search_entries.tokens`: name A, keywords B, organization and industry C, filter marks without weight. */
export function tokensLiteral(text: IndexedText): string {
  const fields = {
    A: indexLexemes(text.name),
    B: indexLexemes(text.keyword),
    C: [...indexLexemes(text.labels.join('\n')), ...text.facts],
  };
  const marks = [typeMark(fileKindOf(text.fileType).kind), yearMark(yearOf(text.createdAt))];
  return `${weightedLiteral(fields)} ${marks.map(quote).join(' ')}`.trim();
}

/** Returns the tsvector literal of the lexemes of up to four fields, each with its weight. D is the weight of fields that are not weighed. */
export function weightedLiteral(fields: Partial<Record<'A' | 'B' | 'C' | 'D', Iterable<string>>>): string {
  const places = new Map<string, string[]>();
  // All lexemes of a field share one position: queries read the weight only, and the vector stays small.
  for (const [position, weight] of (['A', 'B', 'C', 'D'] as const).entries())
    for (const lexeme of fields[weight] ?? []) {
      const place = `${position + 1}${weight}`;
      const known = places.get(lexeme);
      if (known) known.push(place);
      else places.set(lexeme, [place]);
    }
  return Array.from(places, ([lexeme, at]) => `${quote(lexeme)}:${at.join(',')}`).join(' ');
}

// No word begins with a colon, so that no query can match a mark, not even by a prefix. Facts (`:b`, `:p`, `:k`) have letters of their own.
export const typeMark = (kind: string) => `:f${kind}`;
const yearMark = (year: number) => `:y${year}`;

/** Returns a tsquery literal that requires all `words` and `marks`; `weight` limits the words to fields. "" when there are none. */
export function queryLiteral(
  words: QueryWord[],
  marks: string[] = [],
  weight: '' | 'A' | 'B' | 'C' | 'ABC' = '',
): string {
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

import { fileKindOf, type FileType } from '../library/file-types.ts';
import { dayText } from '../library/rules.ts';
import { indexLexemes, type Lexeme, type QueryWord } from './words.ts';

/**
 * Search speaks to PostgreSQL in finished `tsvector` and `tsquery` literals: no parser, no locale, and nothing a user
 * types can be an operator.
 */

/** Quoted as the literals want it: quotes and backslashes doubled. */
function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Literal of lexemes without places, for a vector that is only asked whether it holds them. */
export function lexemesLiteral(lexemes: Iterable<string>): string {
  return Array.from(lexemes, quote).join(' ');
}

export type IndexedText = {
  name: string;
  keyword: string;
  /** Whose it is and what field it is from: found, but never ranked above the name. */
  labels: string[];
  fileType: FileType;
  createdAt: Date;
};

/** Literal of `search_entries.tokens`: name A, keywords B, organization and industry C, filter marks without weight. */
export function tokensLiteral(text: IndexedText): string {
  const places = new Map<string, string[]>();
  const put = (lexemes: Iterable<string>, place: string) => {
    for (const lexeme of lexemes) {
      const known = places.get(lexeme);
      if (known) known.push(place);
      else places.set(lexeme, [place]);
    }
  };
  // The place says only the field: where in it is never asked, and one place keeps the vector small.
  put(indexLexemes(text.name), '1A');
  put(indexLexemes(text.keyword), '2B');
  put(indexLexemes(text.labels.join('\n')), '3C');
  const words = [...places].map(([lexeme, at]) => `${quote(lexeme)}:${at.join(',')}`);
  return [...words, ...[typeMark(fileKindOf(text.fileType).kind), yearMark(yearOf(text.createdAt))].map(quote)].join(
    ' ',
  );
}

// A colon is no part of any word, so that no query can ask for a mark.
export const typeMark = (kind: string) => `f:${kind}`;
export const yearMark = (year: number) => `y:${year}`;

const yearOf = (at: Date) => Number(dayText(at).slice(0, 4));

/** tsquery literal asking for all of `words` and `marks`; `weight` narrows the words to one field. "" asks for nothing. */
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

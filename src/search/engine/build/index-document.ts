import { yearOf } from '../../../library/rules.ts';
import { joinWrappedLines } from '../../snippet.ts';
import { factLexemes } from '../../fact-words.ts';
import { indexLexemes } from '../../words.ts';
import { type DocumentFacts, FILE_TYPES, type IndexedDocument, type SourceDocument } from '../format/document.ts';
import { SPREAD_MARKS, spreadOfPages } from '../format/inside.ts';
import { FIELD, FILTER_LABELS, LABEL_COLUMNS, type LabelFieldIds } from '../format/layout.ts';
import { lengthClass } from '../format/ranking.ts';
import { significantTerms } from './significant-terms.ts';

/** Tokenizes a document. Separate from document.ts, because search threads do not need the tokenizer. */
export function toIndexed(source: SourceDocument): IndexedDocument {
  const name = lexemesOf(source.name);
  const keyword = piecesOf(source.keyword, ',');
  const labels = [piecesOf(`${source.organization}\n${source.industry}`, '\n'), ...factLexemes(source)]
    .filter(Boolean)
    .join(' ');
  const inside = insideOf([...source.texts, source.themes.join('\n')]);
  const texts = { name, keyword, labels, inside };
  return {
    ...toFacts(source),
    fingerprint: fingerprintOf(`${name}|${keyword}|${labels}|${inside.join('|')}`),
    ...texts,
    significant: significantTerms(texts),
  };
}

/** Returns the facts of a document without its texts. */
export function toFacts(source: Omit<SourceDocument, 'themes' | 'texts' | 'keyPages'>): DocumentFacts {
  return {
    ...labelIdsOf(source),
    id: source.id,
    fileId: source.fileId,
    score: source.recommendScore,
    popularity: source.popularity,
    createdSeconds: Math.floor(source.createdAt / 1_000),
    year: yearOf(new Date(source.createdAt)),
    pages: source.pageCount,
    budgetYuan: source.budgetYuan,
    people: source.people,
    days: source.days,
    fileType: FILE_TYPES.indexOf(source.fileType),
    isFree: source.isFree,
    length: lengthClass([...source.name].length),
    themeIds: [...source.themeIds].sort((a, b) => a - b),
  };
}

/** Returns the lexemes of the pages, by spread. */
function insideOf(texts: string[]): string[] {
  const pages = new Map<string, number>();
  for (const text of texts)
    if (text)
      for (const lexeme of indexLexemes(joinWrappedLines(text))) pages.set(lexeme, (pages.get(lexeme) ?? 0) + 1);
  const bySpread = SPREAD_MARKS.map((): string[] => []);
  for (const [lexeme, count] of pages) bySpread[spreadOfPages(count)]?.push(lexeme);
  return bySpread.map((lexemes) => lexemes.join(' '));
}

function labelIdsOf(source: LabelFieldIds): LabelFieldIds {
  // Safe: one entry for each label.
  return Object.fromEntries(
    LABEL_COLUMNS.map((label) => [FILTER_LABELS[label].field, source[FILTER_LABELS[label].field]]),
  ) as LabelFieldIds;
}

const lexemesOf = (text: string) => [...indexLexemes(text)].join(' ');

const known = new Map<string, string>();
const KNOWN_PIECES = 20_000;

/** Caches tokenized keywords and labels, which repeat often. */
function piecesOf(text: string, separator: string): string {
  const pieces = text.split(separator).filter(Boolean);
  const lexemes = pieces.flatMap((piece) => {
    let made = known.get(piece);
    if (made === undefined) {
      made = lexemesOf(piece);
      if (known.size < KNOWN_PIECES) known.set(piece, made);
    }
    return made ? made.split(' ') : [];
  });
  return [...new Set(lexemes)].join(' ');
}

/** A hash of 53 bits (cyrb53): a collision of two texts of one document is practically impossible. */
function fingerprintOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** Returns the terms of a document with the fields that contain them. */
export function termsOf(document: IndexedDocument): Map<string, number> {
  const terms = new Map<string, number>();
  const put = (lexemes: string, field: number) => {
    if (!lexemes) return;
    for (const lexeme of lexemes.split(' ')) terms.set(lexeme, (terms.get(lexeme) ?? 0) | field);
  };
  put(document.name, FIELD.name);
  put(document.keyword, FIELD.keyword);
  put(document.labels, FIELD.label);
  return terms;
}

/** Calls `take` for each term of the pages of a document, with its spread. */
export function eachInside({ inside }: IndexedDocument, take: (term: string, spread: number) => void): void {
  inside.forEach((lexemes, spread) => {
    if (lexemes) for (const lexeme of lexemes.split(' ')) take(lexeme, spread);
  });
}

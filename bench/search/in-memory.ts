import type { SourceDocument } from '../../src/search/engine/format/document.ts';
import { toIndexed } from '../../src/search/engine/build/index-document.ts';
import type { Lexeme } from '../../src/search/words.ts';
import type { Question } from './questions.ts';

/** The text for engines written in JavaScript: this project's tokens, separated by spaces. */
export type Texts = { id: number; name: string; keyword: string; labels: string; inside: string };

export function textsOf(document: SourceDocument): Texts {
  const { id, name, keyword, labels, inside } = toIndexed(document);
  return { id, name, keyword, labels, inside: inside.join(' ') };
}

export type Facts = Pick<SourceDocument, 'fileType' | 'themeIds' | 'createdAt'>;
export const factsOf = ({ fileType, themeIds, createdAt }: SourceDocument): Facts => ({
  fileType,
  themeIds,
  createdAt,
});

/** Null: no filter. */
export function sieveOf({ filter }: Question): ((facts: Facts | undefined) => boolean) | null {
  const { fileTypes, themeId, since } = filter;
  if (!fileTypes && !themeId && !since) return null;
  return (facts) =>
    facts !== undefined &&
    (!fileTypes || fileTypes.includes(facts.fileType)) &&
    (!themeId || facts.themeIds.includes(themeId)) &&
    (!since || facts.createdAt >= since);
}

/** Returns the variants of the query for engines without OR: one, unless a word has synonyms. */
export function waysOf({ words }: Question): Lexeme[][] {
  let ways: Lexeme[][] = [[]];
  for (const { forms } of words) ways = ways.flatMap((way) => forms.map(({ lexemes }) => [...way, ...lexemes]));
  return ways;
}

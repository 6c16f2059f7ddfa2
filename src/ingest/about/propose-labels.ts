import type { DocumentText, TagWords } from './weigh-words.ts';
import { foldText, type LexiconKind, type LexiconLine } from './lexicon.ts';
import { wordFinder } from './text-words.ts';

/** A theme or industry proposed for a document, and the words that indicate it, strongest first. */
export type Proposal = { name: string; score: number; words: { word: string; weight: number }[] };
/** A proposal, and whether enough words speak for it: one weak word proposes nothing. */
type Scored = Proposal & { isSure: boolean };

/** Lowest score of a proposal: one strong word in the name, or several in the pages, exceed it. */
const MIN_SCORE = 7;
const MAX_THEMES = 3;
/** A second theme needs this share of the best score; an industry is proposed only when it leads by INDUSTRY_LEAD. */
const THEME_SHARE = 0.55;
const INDUSTRY_LEAD = 1.15;
const COUNTED_WORDS = 12;
const SHOWN_WORDS = 8;

const IN_NAME = 2.5;
const IN_HEADING = 0.7;
const ON_COVER = 1.4;
/** A word of the lexicon of at least this strength is enough alone when the name, the cover or a page title has it. */
const STRONG = 3;
/** An excluding word on this share of the pages counts as one in the name. */
const EXCLUDING_SHARE = 0.1;
/** A first page with more text than this is not a cover; a cover tells what the deck is about. */
const COVER_CHARACTERS = 300;

/**
 * Scores the lines of a lexicon for a document by TF-IDF: the weight of a word is the logarithm of the number of pages
 * with it (more in the name or in a page title), its rarity among the lines of the lexicon, and its strength. Returns
 * all lines with a match, best first, without the lines that a word of the document excludes.
 */
export function scoreLabels(
  text: DocumentText,
  lexicon: readonly LexiconLine[],
  kind: LexiconKind,
  tagWords: TagWords,
): Scored[] {
  const lines = lexicon.filter((line) => line.kind === kind);
  const linesWith = new Map<string, number>();
  for (const line of lines) for (const word of line.words.keys()) linesWith.set(word, (linesWith.get(word) ?? 0) + 1);
  const finderOf = (part: string) => wordFinder(foldText(part), tagWords);
  const [inName, inHeadings, pages] = [
    finderOf(text.name),
    finderOf(text.headings.join('\n')),
    text.pages.map(finderOf),
  ];
  const [first = ''] = text.pages;
  const onCover = finderOf(first.length <= COVER_CHARACTERS ? first : '');
  const isProminent = (word: string) => inName(word) || onCover(word) || inHeadings(word);
  const rarity = (word: string) =>
    Math.log((1 + lines.length) / (linesWith.get(word) ?? 1)) / Math.log(1 + lines.length);
  const pagesWith = (word: string) => pages.filter((says) => says(word)).length;
  const frequency = (word: string) => {
    const isNamed = inName(word);
    return (
      Math.log1p(pagesWith(word)) +
      (isNamed ? IN_NAME : 0) +
      (!isNamed && onCover(word) ? ON_COVER : 0) +
      (inHeadings(word) ? IN_HEADING : 0)
    );
  };
  const known = new Map<string, number>();
  const weightOf = (word: string) => {
    let weight = known.get(word);
    if (weight === undefined) known.set(word, (weight = frequency(word) * rarity(word)));
    return weight;
  };
  const isExcluded = (line: LexiconLine) =>
    line.excluding.some((word) => isProminent(word) || pagesWith(word) > text.pages.length * EXCLUDING_SHARE);
  return lines
    .filter((line) => !isExcluded(line))
    .map((line) => {
      const words = [...line.words]
        .map(([word, sure]) => ({ word, weight: round(weightOf(word) * sure) }))
        .filter(({ weight }) => weight > 0)
        .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
        .slice(0, COUNTED_WORDS);
      return {
        name: line.name,
        score: round(words.reduce((sum, { weight }) => sum + weight, 0)),
        words: words.slice(0, SHOWN_WORDS),
        isSure:
          words.length > 1 || words.some(({ word }) => (line.words.get(word) ?? 0) >= STRONG && isProminent(word)),
      };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
}

/** Returns up to three themes, best first; none when no score is high enough. */
export function proposeThemes(scores: readonly Scored[]): Proposal[] {
  const best = scores[0]?.score ?? 0;
  return scores
    .filter(({ score, isSure }) => isSure && score >= MIN_SCORE && score >= best * THEME_SHARE)
    .slice(0, MAX_THEMES)
    .map(plain);
}

/** Returns the industry with the best score when it is clearly ahead, or null. */
export function proposeIndustry(scores: readonly Scored[]): Proposal | null {
  const [first, second] = scores;
  if (!first?.isSure || first.score < MIN_SCORE) return null;
  return first.score >= (second?.score ?? 0) * INDUSTRY_LEAD ? plain(first) : null;
}

const plain = ({ name, score, words }: Scored): Proposal => ({ name, score, words });

const round = (value: number) => Math.round(value * 100) / 100;

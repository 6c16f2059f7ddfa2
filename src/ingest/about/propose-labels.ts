import type { DocumentText } from './weigh-words.ts';
import { foldText, type LexiconKind, type LexiconLine } from './lexicon.ts';

/** A theme or industry proposed for a document, and the words that indicate it, strongest first. */
export type Proposal = { name: string; score: number; words: { word: string; weight: number }[] };

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
/** A first page with more text than this is not a cover; a cover tells what the deck is about. */
const COVER_CHARACTERS = 300;

/**
 * Scores the lines of a lexicon for a document by TF-IDF: the weight of a word is the logarithm of the number of pages
 * with it (more in the name or in a page title), its rarity among the lines of the lexicon, and its strength. Returns
 * all lines with a match, best first.
 */
export function scoreLabels(text: DocumentText, lexicon: readonly LexiconLine[], kind: LexiconKind): Proposal[] {
  const lines = lexicon.filter((line) => line.kind === kind);
  const linesWith = new Map<string, number>();
  for (const line of lines) for (const word of line.words.keys()) linesWith.set(word, (linesWith.get(word) ?? 0) + 1);
  const name = foldText(text.name);
  const headings = foldText(text.headings.join('\n'));
  const pages = text.pages.map(foldText);
  const [first = ''] = pages;
  const cover = first.length <= COVER_CHARACTERS ? first : '';
  const rarity = (word: string) =>
    Math.log((1 + lines.length) / (linesWith.get(word) ?? 1)) / Math.log(1 + lines.length);
  const frequency = (word: string) => {
    const says = finder(word);
    const inName = says(name);
    return (
      Math.log1p(pages.filter(says).length) +
      (inName ? IN_NAME : 0) +
      (!inName && says(cover) ? ON_COVER : 0) +
      (says(headings) ? IN_HEADING : 0)
    );
  };
  const known = new Map<string, number>();
  const weightOf = (word: string) => {
    let weight = known.get(word);
    if (weight === undefined) known.set(word, (weight = frequency(word) * rarity(word)));
    return weight;
  };
  return lines
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
      };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
}

/** Returns up to three themes, best first; none when no score is high enough. */
export function proposeThemes(scores: readonly Proposal[]): Proposal[] {
  const best = scores[0]?.score ?? 0;
  return scores.filter(({ score }) => score >= MIN_SCORE && score >= best * THEME_SHARE).slice(0, MAX_THEMES);
}

/** Returns the industry with the best score when it is clearly ahead, or null. */
export function proposeIndustry(scores: readonly Proposal[]): Proposal | null {
  const [first, second] = scores;
  if (!first || first.score < MIN_SCORE) return null;
  return first.score >= (second?.score ?? 0) * INDUSTRY_LEAD ? first : null;
}

const round = (value: number) => Math.round(value * 100) / 100;

/**
 * Returns a function that finds a word in text: Chinese words anywhere, words of Latin letters and digits only as whole
 * words.
 */
function finder(word: string): (text: string) => boolean {
  if (!/^[a-z\d]/.test(word) && !/[a-z\d]$/.test(word)) return (text) => text.includes(word);
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<![a-z\\d])${escaped}(?![a-z\\d])`);
  return (text) => pattern.test(text);
}

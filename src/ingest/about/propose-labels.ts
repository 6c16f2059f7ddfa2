import type { DocumentText } from './document-text.ts';
import { foldText, type LexiconKind, type LexiconLine } from './lexicon.ts';

/** A theme or industry a document may be filed under, and the words that say so, heaviest first. */
export type Proposal = { name: string; score: number; words: { word: string; weight: number }[] };

/** Below this nothing was said: one strong word in the name, or several in the pages, are more. */
const MIN_SCORE = 7;
const MAX_THEMES = 3;
/** A second theme stands beside the first, an industry must stand alone. */
const THEME_SHARE = 0.55;
const INDUSTRY_LEAD = 1.15;
const COUNTED_WORDS = 12;
const SHOWN_WORDS = 8;

const IN_NAME = 2.5;
const IN_HEADING = 0.7;
const ON_COVER = 1.4;
/** The first page of a deck says what it is; one that says more than this is no cover. */
const COVER_CHARACTERS = 300;

/**
 * TF-IDF against a lexicon: a word weighs by the pages that have it (logarithm, more in the name or in a page's title),
 * by how few lines of the lexicon it stands on, and by what its line says of it. Best first; all lines that have any
 * word.
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

/** Up to three themes, best first; none when the text is silent. */
export function proposeThemes(scores: readonly Proposal[]): Proposal[] {
  const best = scores[0]?.score ?? 0;
  return scores.filter(({ score }) => score >= MIN_SCORE && score >= best * THEME_SHARE).slice(0, MAX_THEMES);
}

/** One industry, when one leads clearly. */
export function proposeIndustry(scores: readonly Proposal[]): Proposal | null {
  const [first, second] = scores;
  if (!first || first.score < MIN_SCORE) return null;
  return first.score >= (second?.score ?? 0) * INDUSTRY_LEAD ? first : null;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** Han is looked for anywhere; a word of Latin letters and digits between others than those. */
function finder(word: string): (text: string) => boolean {
  if (!/^[a-z\d]/.test(word) && !/[a-z\d]$/.test(word)) return (text) => text.includes(word);
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<![a-z\\d])${escaped}(?![a-z\\d])`);
  return (text) => pattern.test(text);
}

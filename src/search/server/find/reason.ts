import type { DocumentItem } from '../../../library/contract.ts';
import { relatedOf, TYPED, typedOf } from '../../decks/deck-levels.ts';
import { keyPageFor, statesOneOf } from '../../fact-words.ts';
import { fold } from '../../fold.ts';
import { placesOf } from '../../highlight.ts';
import { nearText } from '../../near-text.ts';
import { isPhraseOrSentence, relatedWords, type CutWords, type QueryWord } from '../../words.ts';

type Labelled = Pick<DocumentItem, 'name' | 'industry' | 'organization' | 'type' | 'stated' | 'key_pages'>;

/**
 * Returns why a deck is listed, as far as neither its name nor a line of its pages shows it: the labels that hold words of the query (行业 餐饮), and what
 * stands for a word as a related one (七夕 与“情人节”相近). `typed`: the words as they were typed. `levels`: what the deck holds of each word
 * (deck-levels.ts); without them name and labels hold all. "" when there is nothing to add.
 */
export function reasonOf(
  item: Labelled,
  query: { words: QueryWord[]; typed: string[] },
  levels: readonly number[] | undefined,
  cut: CutWords,
): string {
  const reasons: string[] = [];
  const named = new Set<string>();
  const typedForms = new Set(query.words.flatMap(formsOf));
  for (const [at, word] of query.words.entries()) {
    const level = levels?.[at];
    const typed = query.typed[at] ?? '';
    if (level === undefined || typedOf(level) >= TYPED.inLabels) reasons.push(...labelWith(item, formsOf(word), typed));
    else if (typedOf(level) === TYPED.nowhere && relatedOf(level) > 0) {
      const related = relatedHeld(item, word, cut);
      const held = related.find((form) => !typedForms.has(form)) ?? LABEL;
      // What the query says itself, and the deck holds, is no other word: 房地产 of 房地产中秋暖场.
      if (held === LABEL && related.length > 0) continue;
      // A phrase that stands for what one of its words stands for says nothing more.
      if (isPhraseOrSentence(word) && (named.has(held) || held === LABEL)) continue;
      named.add(held);
      const near = word.topic ? DESCRIBED : nearText(typed);
      reasons.push(held === LABEL ? `${LABEL}${near}` : `${held} ${near}`);
    }
  }
  return [...new Set(reasons)].join('、');
}

const LABEL = '标签';
/** A whole sentence is not quoted. */
const DESCRIBED = '对应您的描述';

const formsOf = ({ forms }: QueryWord) => forms.map(({ text }) => text);

/** Returns the label that holds one of the forms; nothing where the name does. A keyword or theme is named by the word itself. */
function labelWith(item: Labelled, forms: string[], typed: string): string[] {
  if (holds(item.name, forms)) return [];
  const stated = statedAs(item, forms);
  if (stated) return [stated];
  if (holds(item.industry.name, forms)) return [`行业 ${item.industry.name}`];
  if (holds(item.organization.name, forms)) return [`机构 ${item.organization.name}`];
  if (holds(item.type.name, forms)) return [`方案类型 ${item.type.name}`];
  // The page itself is shown.
  if (keyPageFor(item.key_pages, forms)) return [];
  return [`标签 ${typed}`];
}

/** Returns the pages of a deck that the words of a query ask for by their kind: the floor plan of 展厅动线. */
export const askedPagesOf = ({ key_pages }: Pick<Labelled, 'key_pages'>, words: QueryWord[]) =>
  key_pages.filter((page) => words.some((word) => keyPageFor([page], formsOf(word))));

/** Returns the stated fact that an amount of the query asked for: 人数 1,200 人（第 3 页）. */
function statedAs({ stated }: Labelled, forms: string[]): string | null {
  const fact = stated.find(({ kind, value }) =>
    statesOneOf(
      {
        budgetYuan: kind === 'budget' ? Math.round(value / 100) : 0,
        people: kind === 'people' ? value : 0,
        days: kind === 'days' ? value : 0,
      },
      forms,
    ),
  );
  return fact ? `${fact.name} ${fact.text}（第 ${fact.page} 页）` : null;
}

/** Returns the related words that name, industry or organization hold. */
function relatedHeld(item: Labelled, word: QueryWord, cut: CutWords): string[] {
  const own = [item.name, item.industry.name, item.organization.name];
  return relatedWords(word, cut)
    .map(({ text }) => text)
    .filter((form) => own.some((text) => holds(text, [form])));
}

function holds(text: string, forms: string[]): boolean {
  const folded = fold(text);
  return forms.some((form) => placesOf(form, folded).length > 0);
}

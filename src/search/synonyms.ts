import { pageKindWords } from '../library/key-pages.ts';
import { foldedText } from './fold.ts';
import { lazily } from '../platform/lazily.ts';
import { nearOfPhrase, type Phrase, setPhrases } from './phrases.ts';
import { joinSinglesOfSpeech } from './single-characters.ts';
import { utf16SpansOf, type Span } from './spans.ts';

type Synonyms = {
  /** The forms of each group, folded (fold.ts). No form is in two groups. */
  groups: readonly (readonly string[])[];
  /** A broad word with its narrower words: 金融 finds 银行 too, 银行 finds itself alone. */
  broader: readonly (readonly [word: string, narrower: readonly string[]])[];
  /** A word with its near words, which are shown as 相近 when nothing matches the word itself. */
  near: readonly (readonly [word: string, near: readonly string[]])[];
  phrases: readonly Phrase[];
};

/**
 * Parses a synonyms file: groups (`form = form`), broader words (`word > narrower = narrower`) and near words (`word ~ near = near`, or several
 * words that share them: `word、word ~ near = near`; phrases.txt), one a line; `#` begins a comment. Groups that share a form are merged. Throws SynonymsError with every line that cannot be parsed.
 */
export function parseSynonyms(text: string): Synonyms {
  const groups: Set<string>[] = [];
  const broader: [string, string[]][] = [];
  const near: [string, string[]][] = [];
  const phrases: Phrase[] = [];
  const wrong: number[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const plain = line
      .replace(/#.*/, '')
      .replace(/^\ufeff/, '')
      .trim();
    if (plain === '') continue;
    const [left = '', right, ...more] = plain.split(/[>＞~～]/);
    const isNear = /[~～]/.test(plain);
    const words = isNear ? left.split(/[、,，]/) : [left];
    const others = right?.split(/[=＝]/).map(folded);
    // A single character is a phrase of one cue: it counts where it is a word of its own.
    const said = words.filter((word) => isNear && (word.includes(GAP) || [...word.trim()].length === 1));
    phrases.push(...said.map((word) => ({ cues: word.split(GAP).map(cuesOf), near: others ?? [] })));
    const plainWords = words.filter((word) => !said.includes(word));
    const forms = plainWords.flatMap((word) => word.split(/[=＝]/).map(folded));
    const isNoWord = [...forms, ...(others ?? [])].some((form) => [...form].length < 2 || /[、,，]/.test(form));
    const isNoPhrase =
      (!isNear && plain.includes(GAP)) ||
      said.some((word) =>
        word
          .split(GAP)
          .flatMap(cuesOf)
          .some((cue) => cue === ''),
      );
    const isWrong = isNoWord || isNoPhrase || more.length > 0;
    if (isWrong || (others ? forms.length > words.length : forms.length < 2)) wrong.push(index + 1);
    else if (others) for (const form of forms) (isNear ? near : broader).push([form, others]);
    else join(groups, forms);
  }
  if (wrong.length > 0) throw new SynonymsError(wrong);
  return { groups: groups.map((group) => [...group]), broader, near, phrases };
}

/** Stands between the cues of a phrase: 对着手机…卖. */
const GAP = '…';
const cuesOf = (cue: string) => cue.split('/').map(folded);

export class SynonymsError extends Error {
  constructor(lines: number[]) {
    super(
      `not "form = form", "word > narrower = narrower", "word ~ near = near" (each of two characters at least), "cue/cue…cue ~ near" or "character ~ near": line ${lines.join(', ')}`,
    );
  }
}

const folded = (form: string): string => foldedText(form.trim());

function join(groups: Set<string>[], forms: string[]): void {
  const group = new Set(forms);
  for (let at = groups.length - 1; at >= 0; at--) {
    const known = groups[at];
    if (!known || !forms.some((form) => known.has(form))) continue;
    for (const form of known) group.add(form);
    groups.splice(at, 1);
  }
  groups.push(group);
}

/** `formsFrom`: the forms by their first character, the longest first. */
type Table = {
  groupOf: ReadonlyMap<string, readonly string[]>;
  nearOf: ReadonlyMap<string, readonly string[]>;
  formsFrom: ReadonlyMap<string, readonly string[]>;
};

// One table for the process: queries are tokenized in many places, and all of them must agree.
let table = lazily(() => tableOf({ groups: [], broader: [], near: [], phrases: [] }));

/**
 * Replaces the table. `read` is called when the first word is looked up: a command that searches for nothing does without it. Indexes stay unchanged: synonyms are
 * applied to queries only.
 */
export function setSynonyms(read: () => Synonyms): void {
  const synonyms = lazily(read);
  table = lazily(() => tableOf(synonyms()));
  setPhrases(() => synonyms().phrases);
}

function tableOf({ groups, broader, near }: Synonyms): Table {
  const groupOf = new Map(groups.flatMap((forms) => forms.map((form) => [form, forms] as const)));
  const same = new Map(groupOf);
  const allOf = (form: string) => same.get(form) ?? [form];
  for (const [word, narrower] of broader) {
    for (const form of allOf(word)) {
      groupOf.set(form, [...new Set([...(groupOf.get(form) ?? [form]), ...narrower.flatMap(allOf)])]);
    }
  }
  // A word with near words stays whole even where the dictionary would split it: 家装节.
  const nearOf = new Map<string, readonly string[]>();
  for (const [word, others] of near) {
    for (const form of allOf(word)) {
      nearOf.set(form, [...new Set([...(nearOf.get(form) ?? []), ...others.flatMap(allOf)])]);
      if (!groupOf.has(form)) groupOf.set(form, [form]);
    }
  }
  // So does a kind of page, which is asked for by the word that pages use for it as well.
  for (const [word, usual] of pageKindWords()) {
    const others = groupOf.get(word) ?? [word];
    if (others.length === 1) groupOf.set(word, [...new Set([word, usual])]);
  }
  const longestFirst = [...groupOf.keys()].sort((a, b) => b.length - a.length);
  return { groupOf, nearOf, formsFrom: Map.groupBy(longestFirst, (form) => form.charAt(0)) };
}

/**
 * Returns the end of a form that stands at a place of a query; -1 where it does not. Numbers and Latin words match as a whole: ai does not match in
 * air, nor 双11 in 双111. An English word stands for its plural as well: weddings.
 */
function endOfForm(query: string, start: number, form: string): number {
  if (!query.startsWith(form, start)) return -1;
  if (isLatin(form, 0) && isLatin(query, start - 1)) return -1;
  const end = start + form.length;
  if (!isLatin(form, form.length - 1)) return end;
  const plurals = LONG_ENGLISH.test(form) ? ['es', 's', ''] : [''];
  const plural = plurals.find((each) => query.startsWith(each, end) && !isLatin(query, end + each.length));
  return plural === undefined ? -1 : end + plural.length;
}

const LONG_ENGLISH = /[a-z]{4}$/;
const isLatin = (text: string, at: number) => /[a-z0-9]/.test(text.charAt(at));

/** Returns all forms that stand for others, folded. */
export const synonymForms = (): Iterable<string> => table().groupOf.keys();

/** Tells whether a folded form stands for others. */
export const isSynonymForm = (form: string): boolean => table().groupOf.has(form);

/** Returns the near words of a folded form or phrase, to be searched for when nothing matches the form; [] for most forms. */
export const nearForms = (form: string): readonly string[] => table().nearOf.get(form) ?? nearOfPhrase(form);

/** A form of a query with all forms that mean the same. */
export type SynonymGroup = { typed: string; forms: readonly string[] };

/**
 * Splits a folded query into plain text and synonym groups. `cut` gives the word boundaries: a form that spans two words is not a match
 * (电车 in 家电车间).
 */
export function splitBySynonyms(query: string, cut: (text: string) => string[]): (string | SynonymGroup)[] {
  const first = nextForm(query, 0);
  if (!first) return query ? [query] : [];
  const cutPieces = cut(query);
  const words = utf16SpansOf(cutPieces);
  // What the dictionary cut into single characters is one word: 试饮 is within 试饮杯.
  const joined = utf16SpansOf(joinSinglesOfSpeech(cutPieces));
  const pieces: (string | SynonymGroup)[] = [];
  let done = 0;
  for (let found: FoundForm | null = first; found;) {
    const { form, start, end } = found;
    const forms = table().groupOf.get(form) ?? [form];
    const isPart = forms.length === 1 && isWithin(joined, start, end) && !isBesideForms(query, joined, found);
    if (isAcross(words, start, end) || isPart) {
      found = nextForm(query, start + 1);
      continue;
    }
    if (start > done) pieces.push(query.slice(done, start));
    pieces.push({ typed: form, forms });
    done = end;
    found = nextForm(query, end);
  }
  if (done < query.length) pieces.push(query.slice(done));
  return pieces;
}

type FoundForm = Span & { form: string };

/** Tells whether a form and others of the table fill what the dictionary cut into single characters: 建案 and 开卖. */
function isBesideForms(query: string, joined: Span[], { start, end }: Span): boolean {
  const around = joined.find((word) => word.start <= start && end <= word.end);
  if (!around) return false;
  const rests = [query.slice(around.start, start), query.slice(end, around.end)];
  return rests.every((rest) => rest === '' || table().groupOf.has(rest));
}

/** Returns the first form in a query behind `from`, the longest of those at one place. */
function nextForm(query: string, from: number): FoundForm | null {
  for (let start = from; start < query.length; start++) {
    for (const form of table().formsFrom.get(query.charAt(start)) ?? []) {
      const end = endOfForm(query, start, form);
      if (end >= 0) return { form, start, end };
    }
  }
  return null;
}

/** Tells whether a piece is only part of one word. A form that has nothing but near words must not split that word: 跨年 in 跨年夜. */
function isWithin(words: Span[], start: number, end: number): boolean {
  return words.some((word) => word.start <= start && end <= word.end && end - start < word.end - word.start);
}

/** Tells whether a piece crosses a word boundary: it begins or ends inside a word that it does not lie in. */
function isAcross(words: Span[], start: number, end: number): boolean {
  return words.some(
    (word) =>
      (word.start < start && start < word.end && word.end < end) ||
      (start < word.start && word.start < end && end < word.end),
  );
}

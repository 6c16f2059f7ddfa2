import { fold } from './fold.ts';

export type Synonyms = {
  /** The forms of each group, folded (fold.ts); no form stands in two groups. */
  groups: readonly (readonly string[])[];
  /** A word, and the narrower ones it stands for as well: 金融 asks for 银行 too, 银行 for itself alone. */
  broader: readonly (readonly [word: string, narrower: readonly string[]])[];
};

/**
 * Reads groups, one a line, forms between `=`, and broader words, `word > narrower = narrower`; `#` begins a comment.
 * Groups that share a form become one. Throws SynonymsError naming every line that is neither.
 */
export function parseSynonyms(text: string): Synonyms {
  const groups: Set<string>[] = [];
  const broader: [string, string[]][] = [];
  const wrong: number[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const plain = line
      .replace(/#.*/, '')
      .replace(/^\ufeff/, '')
      .trim();
    if (plain === '') continue;
    const [left = '', right, ...more] = plain.split(/[>＞]/);
    const forms = left.split(/[=＝]/).map(folded);
    const narrower = right?.split(/[=＝]/).map(folded);
    const isTooShort = [...forms, ...(narrower ?? [])].some((form) => [...form].length < 2);
    if (isTooShort || more.length > 0 || (narrower ? forms.length > 1 : forms.length < 2)) wrong.push(index + 1);
    else if (narrower) broader.push([forms[0] ?? '', narrower]);
    else join(groups, forms);
  }
  if (wrong.length > 0) throw new SynonymsError(wrong);
  return { groups: groups.map((group) => [...group]), broader };
}

export class SynonymsError extends Error {
  constructor(lines: number[]) {
    super(
      `not "form = form" or "word > narrower = narrower", each of two characters at least: line ${lines.join(', ')}`,
    );
  }
}

function folded(form: string): string {
  return fold(form.trim())
    .map(({ char }) => char)
    .join('');
}

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

// One table for the process: query words are made in many places, and all of them must agree.
let groupOf = new Map<string, readonly string[]>();
let anyForm: RegExp | null = null;

/** Puts a table in the place of the one before. Indexes stay as they are: synonyms concern the query alone. */
export function putSynonyms({ groups, broader }: Synonyms): void {
  groupOf = new Map(groups.flatMap((forms) => forms.map((form) => [form, forms] as const)));
  const same = new Map(groupOf);
  const allOf = (form: string) => same.get(form) ?? [form];
  for (const [word, narrower] of broader) {
    for (const form of allOf(word)) {
      groupOf.set(form, [...new Set([...(groupOf.get(form) ?? [form]), ...narrower.flatMap(allOf)])]);
    }
  }
  const longestFirst = [...groupOf.keys()].sort((a, b) => b.length - a.length);
  anyForm = longestFirst.length > 0 ? new RegExp(longestFirst.map(guarded).join('|'), 'u') : null;
}

/** A number or Latin word counts only as a whole: ai is no part of air, 双11 none of 双111. */
function guarded(form: string): string {
  const before = /^[a-z0-9]/.test(form) ? '(?<![a-z0-9])' : '';
  const after = /[a-z0-9]$/.test(form) ? '(?![a-z0-9])' : '';
  return `${before}${form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}${after}`;
}

/** A folded query in pieces: plain text, or all the forms of something that has several. */
export function splitBySynonyms(query: string): (string | readonly string[])[] {
  const match = anyForm?.exec(query);
  const forms = match && groupOf.get(match[0]);
  if (!match || !forms) return query ? [query] : [];
  const rest = splitBySynonyms(query.slice(match.index + match[0].length));
  return [query.slice(0, match.index), forms, ...rest].filter((piece) => piece.length > 0);
}

/**
 * Ways to write one and the same thing, as folded (fold.ts). Only what means exactly the same, and only where neither
 * holds the other (中秋 finds 中秋节 anyway): whoever asks for one form is shown all of them.
 */
const SYNONYMS: readonly (readonly string[])[] = [
  ['双十一', '双11'],
  ['双十二', '双12'],
  ['六一八', '618'],
  ['五二零', '520'],
  ['女神节', '女王节', '妇女节', '三八节', '38节'],
  ['儿童节', '六一节'],
  ['哔哩哔哩', 'b站', 'bilibili'],
  ['人工智能', 'ai'],
];

const groups = new Map(SYNONYMS.flatMap((forms) => forms.map((form) => [form, forms] as const)));
const longestFirst = [...groups.keys()].sort((a, b) => b.length - a.length);
const ANY_FORM = new RegExp(longestFirst.map(guarded).join('|'), 'u');

/** A number or Latin word counts only as a whole: ai is no part of air, 双11 none of 双111. */
function guarded(form: string): string {
  const before = /^[a-z0-9]/.test(form) ? '(?<![a-z0-9])' : '';
  const after = /[a-z0-9]$/.test(form) ? '(?![a-z0-9])' : '';
  return `${before}${form}${after}`;
}

/** A folded query in pieces: plain text, or all the forms of something that has several. */
export function splitBySynonyms(query: string): (string | readonly string[])[] {
  const match = ANY_FORM.exec(query);
  const forms = match && groups.get(match[0]);
  if (!match || !forms) return query ? [query] : [];
  const rest = splitBySynonyms(query.slice(match.index + match[0].length));
  return [query.slice(0, match.index), forms, ...rest].filter((piece) => piece.length > 0);
}

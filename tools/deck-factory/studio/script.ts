import { LOOKS, type LookKey } from './looks.ts';

/** A page of a deck: kind, title and content, in the notation of tools/deck-factory/README.md. */
export interface Block {
  kind: string;
  title: string;
  fields: readonly string[];
}

/** A deck written page by page. */
export interface Script {
  look: LookKey;
  variant: number;
  palette: number;
  /** ASCII, part of the name of the file. */
  slug: string;
  name: string;
  brand: string;
  industry: string;
  themes: string[];
  type: string;
  city: string;
  slogan: string;
  tagline: string;
  english: string;
  blocks: Block[];
}

/** Splits `a / b / c` into trimmed items. */
export const items = (field: string | undefined): string[] =>
  (field ?? '')
    .split(' / ')
    .map((item) => item.trim())
    .filter((item) => item !== '' && item !== '-');

/** Splits `title:text:more` into at least `count` parts; missing parts are "". */
export function parts(item: string, count: number): string[] {
  const found = item.split(':').map((part) => part.trim());
  while (found.length < count) found.push('');
  return found;
}

/** Parses `name=1,2,3`. */
export function series(item: string): { name: string; values: number[] } {
  const [name = '', values = ''] = item.split('=');
  const numbers = values.split(',').map(Number);
  if (numbers.some((value) => !Number.isFinite(value))) throw new Error(`not numbers: ${item}`);
  return { name: name.trim(), values: numbers };
}

function lookKey(word: string): LookKey {
  if (!Object.hasOwn(LOOKS, word)) throw new Error(`unknown look ${word}`);
  return word as LookKey; // checked the line above
}

/** Reads the decks of a list: blocks of lines, the first of which begins with `@`. Throws on a malformed head. */
export function readScripts(list: string): Script[] {
  return list
    .trim()
    .split(/\n\s*\n/)
    .map((text) => {
      const [head = '', ...lines] = text.trim().split('\n');
      const fields = head
        .replace(/^@\s*/, '')
        .split(' | ')
        .map((field) => field.trim());
      if (!head.startsWith('@') || fields.length !== 11) throw new Error(`expected 11 fields: ${head}`);
      const [
        art = '',
        slug = '',
        name = '',
        brand = '',
        industry = '',
        themes = '',
        type = '',
        city = '',
        slogan = '',
        tagline = '',
        english = '',
      ] = fields;
      const [look = '', variant, palette] = art.split(' ');
      return {
        look: lookKey(look),
        variant: Number(variant),
        palette: Number(palette),
        slug,
        name,
        brand,
        industry,
        themes: themes.split(';'),
        type,
        city,
        slogan,
        tagline,
        english,
        blocks: lines.map(readBlock),
      };
    });
}

function readBlock(line: string): Block {
  const [head = '', ...fields] = line.split(' | ').map((field) => field.trim());
  const [kind = '', ...title] = head.split(' ');
  return { kind, title: title.join(' '), fields };
}

import { LOOKS, type LookKey } from './looks.ts';

/** One page of a deck: its kind, its title and what stands on it, in the notation of tools/deck-factory/README.md. */
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
  /** ASCII, part of the file's name. */
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

/** `a / b / c`, trimmed. */
export const items = (field: string | undefined): string[] =>
  (field ?? '')
    .split(' / ')
    .map((item) => item.trim())
    .filter((item) => item !== '' && item !== '-');

/** `title:text:more`, at least `count` parts, missing ones empty. */
export function parts(item: string, count: number): string[] {
  const found = item.split(':').map((part) => part.trim());
  while (found.length < count) found.push('');
  return found;
}

/** `name=1,2,3`. */
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

/** Decks of one list: blocks of lines, the first of each beginning with `@`. Throws on a malformed head. */
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

import { createConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import { findProgram, runChild } from '../sandbox/run-child.ts';
import { FONTS_CONF } from './soffice.ts';

const known = new Map<string, string>();
const MAX_KNOWN = 5_000;
/** Names looked up for one deck: an untrusted deck may name thousands of fonts. */
const MAX_ASKED = 40;
const MAX_NAME_CHARS = 120;
const MAX_MS = 10_000;
/** Runs two programs at once, for all decks together, beside the children of the pool. */
const programs = createConcurrencyLimit(2);

/** The end of a PostScript or family name that means the regular style. */
const PLAIN = /[-\s,]?(regular|roman|book|mt|psmt)+$/;

/**
 * Returns the name of a font without spaces and case, so that `Noto Sans CJK SC` equals `NotoSansCJKsc-Regular`. The
 * weight is kept: a headline in `… Black` that is drawn in the regular weight is a substitution.
 */
function normalizeFontName(name: string): string {
  return name
    .toLowerCase()
    .replace(PLAIN, '')
    .replace(/[\s_-]+/g, '');
}

/**
 * Returns, for up to forty fonts that a deck names, the font that replaced it; fonts that were not replaced are left
 * out. `drawn` lists the fonts of the PDF that LibreOffice wrote. A font that cannot be looked up is left out: the
 * result informs the operator and never fails a file. Fonts that are not looked up within `maxMs` are left out as well.
 */
export async function substitutionsOf(
  named: readonly string[],
  drawn: readonly string[],
  { maxMs = MAX_MS }: { maxMs?: number } = {},
): Promise<Record<string, string>> {
  const present = new Map(drawn.map((name) => [normalizeFontName(name), name]));
  const until = Date.now() + maxMs;
  const asked = named.filter((name) => name.length <= MAX_NAME_CHARS && !present.has(normalizeFontName(name)));
  const pairs = await Promise.all(
    asked.slice(0, MAX_ASKED).map(async (name): Promise<[string, string] | null> => {
      const ask = async () => (Date.now() < until ? matchOf(name) : null);
      const match = await programs.run(ask).catch(() => null);
      if (match === null || normalizeFontName(match) === normalizeFontName(name)) return null;
      return [name, match];
    }),
  );
  return Object.fromEntries(pairs.filter((pair) => pair !== null));
}

/** The fonts of the page images of the demo library; each deck uses some of them. */
const READY_MADE_FACES = [
  'Noto Sans CJK SC',
  'Noto Sans CJK SC Black',
  'Noto Serif CJK SC',
  'Noto Serif CJK SC Black',
  'Noto Serif CJK SC Light',
  'LXGW WenKai',
  'Smiley Sans',
];
/** Font names that src/ingest/fonts.conf maps to another font. */
const ALIASES: Record<string, string> = { 微软雅黑: 'Noto Sans CJK SC' };

/**
 * Returns the fonts of a ready-made deck that this machine lacks. The fonts of a PPT are unknown (null): all fonts are
 * required then.
 */
export async function missingFaces(fonts: readonly string[] | null): Promise<string[]> {
  const named = fonts?.map((name) => ALIASES[name] ?? name);
  const faces = READY_MADE_FACES.filter((face) => named?.includes(face) ?? true);
  const found = await Promise.all(faces.map((face) => areFontsHere([face])));
  return faces.filter((_, index) => !found[index]);
}

/**
 * Whether all these families are installed, also weights that are families of their own (`… Black`). False without
 * fontconfig.
 */
async function areFontsHere(names: readonly string[]): Promise<boolean> {
  const matches = await Promise.all(names.map((name) => programs.run(() => askFontconfig(name, '%{family}'))));
  return names.every((name, index) => matches[index]?.split(',').includes(name));
}

/** Returns family and style to which src/ingest/fonts.conf maps a name, as in LibreOffice. Null without fontconfig. */
async function matchOf(name: string): Promise<string | null> {
  const before = known.get(name);
  if (before !== undefined) return before;
  const match = await askFontconfig(name, '%{family[0]} %{style[0]}');
  const family = match?.replace(/ (Regular|Roman|Book)$/, '') ?? null;
  if (family === null) return null;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(name, family);
  return family;
}

async function askFontconfig(name: string, format: string): Promise<string | null> {
  const fcMatch = findProgram('fc-match');
  if (fcMatch === null) return null;
  // These characters have a meaning in a pattern; a leading dash would be read as an option.
  const pattern = name.replace(/[\\:,=-]/g, (char) => `\\${char}`);
  const end = await runChild({
    command: fcMatch,
    args: ['-f', format, '--', pattern],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', FONTCONFIG_FILE: FONTS_CONF, LANG: 'C.UTF-8' },
    limits: { wallMs: 5_000, cpuSeconds: 5 },
  });
  const family = end.code === 0 ? end.output.trim().slice(0, 200) : '';
  return family === '' ? null : family;
}

import { createConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import { findProgram, runChild } from '../sandbox/run-child.ts';
import { FONTS_CONF } from './soffice.ts';

const known = new Map<string, string>();
const MAX_KNOWN = 5_000;
/** Of one deck: what a stranger's file names must not keep us busy. */
const MAX_ASKED = 40;
const MAX_NAME_CHARS = 120;
const MAX_MS = 10_000;
/** Two programs at once, for all decks together: they run beside the pool's children. */
const programs = createConcurrencyLimit(2);

/** At the end of a PostScript or family name: what is drawn when no style is named. */
const PLAIN = /[-\s,]?(regular|roman|book|mt|psmt)+$/;

/**
 * A font's name without spaces and case, so that `Noto Sans CJK SC` and `NotoSansCJKsc-Regular` are one. Its weight stays: a headline in
 * `… Black` that is drawn in the regular weight is not drawn as named.
 */
function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(PLAIN, '')
    .replace(/[\s_-]+/g, '');
}

/**
 * For each font a deck names, up to forty, the one that was drawn instead; fonts drawn as named are left out. `drawn`
 * are the fonts in its PDF, as LibreOffice wrote them. What cannot be found out is left out too: it is news, not a
 * reason to fail.
 */
export async function substitutionsOf(
  named: readonly string[],
  drawn: readonly string[],
): Promise<Record<string, string>> {
  const present = new Map(drawn.map((name) => [bare(name), name]));
  const until = Date.now() + MAX_MS;
  const asked = named.filter((name) => name.length <= MAX_NAME_CHARS && !present.has(bare(name)));
  const pairs = await Promise.all(
    asked.slice(0, MAX_ASKED).map(async (name): Promise<[string, string] | null> => {
      const ask = async () => (Date.now() < until ? matchOf(name) : null);
      const match = await programs.run(ask).catch(() => null);
      if (match === null || bare(match) === bare(name)) return null;
      return [name, match];
    }),
  );
  return Object.fromEntries(pairs.filter((pair) => pair !== null));
}

/** The faces that ready-made page images are drawn with (the demo library's); each deck uses some. */
const READY_MADE_FACES = [
  'Noto Sans CJK SC',
  'Noto Sans CJK SC Black',
  'Noto Serif CJK SC',
  'Noto Serif CJK SC Black',
  'Noto Serif CJK SC Light',
  'LXGW WenKai',
  'Smiley Sans',
];
/** What decks ask for by another name (src/ingest/fonts.conf). */
const ALIASES: Record<string, string> = { 微软雅黑: 'Noto Sans CJK SC' };

/** The faces of a ready-made deck that this machine lacks. The fonts of an old PPT are not known (null): all faces are asked for. */
export async function missingFaces(fonts: readonly string[] | null): Promise<string[]> {
  const named = fonts?.map((name) => ALIASES[name] ?? name);
  const faces = READY_MADE_FACES.filter((face) => named?.includes(face) ?? true);
  const found = await Promise.all(faces.map((face) => areFontsHere([face])));
  return faces.filter((_, index) => !found[index]);
}

/**
 * Whether every one of these families would be drawn by itself, weights that are families of their own (`… Black`)
 * included. False where there is no fontconfig to ask.
 */
async function areFontsHere(names: readonly string[]): Promise<boolean> {
  const matches = await Promise.all(names.map((name) => programs.run(() => askFontconfig(name, '%{family}'))));
  return names.every((name, index) => matches[index]?.split(',').includes(name));
}

/** Family and style that our fontconfig map gives for a name: what LibreOffice asks as well. Null without fontconfig. */
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
  // In a pattern these have a meaning; a leading dash would be an option.
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

import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { collectionOf } from './collections.ts';
import { createRandom, type Random } from '../../demo/random.ts';
import { SCRIPTS_FOUR } from './studio/copy/four.ts';
import { SCRIPTS_ONE } from './studio/copy/one.ts';
import { SCRIPTS_THREE } from './studio/copy/three.ts';
import { SCRIPTS_TWO } from './studio/copy/two.ts';
import { readScripts, type Script } from './studio/script.ts';

export type FileType = 'pptx' | 'ppt' | 'pdf';

/** The facts of a deck. */
export interface Entry {
  /** Number of the deck in the library, from 1, used in the name of the file. */
  number: number;
  /** The pages of the deck. Null for a finished deck of the pack, which is not written again. */
  script: Script | null;
  name: string;
  brand: string;
  industry: string;
  themes: readonly string[];
  type: string;
  /** Name of the collection that contains the deck. */
  collection: string;
  fileType: FileType;
  /** Name of the file in the pack: ASCII, stable. */
  file: string;
  /** Price in coins. */
  price: number;
  /** `YYYY-MM-DD` */
  date: string;
  keywords: string[];
  researcher: string;
}

/** The last date of a deck; dates are spread up to this day. */
const TODAY = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2024, 0, 8);

const PRICES = [0, 6, 8, 9, 12, 15, 18, 20, 25, 28, 30, 36, 39, 45, 49, 58, 60];
const RESEARCHERS = [
  '林知夏',
  '周一鸣',
  '沈若谷',
  '许南枝',
  '陆青禾',
  '顾言',
  '何见山',
  '苏晚',
  '程一诺',
  '方子墨',
  '叶知秋',
  '贺兰',
];
/** Age in days of the newest scripted decks, by number. */
const FRESH: Readonly<Record<number, number>> = {
  87: 0,
  73: 0,
  100: 1,
  114: 1,
  94: 2,
  108: 2,
  121: 3,
  82: 3,
  96: 4,
  111: 5,
  76: 5,
  90: 6,
  101: 7,
  118: 8,
  79: 9,
  113: 10,
  83: 8,
  74: 12,
};
/** Numbers of the scripted decks that are PDF files, and of the free decks. */
const AS_PDF = [84, 89, 104, 116, 122];
const FREE = [84, 97, 113, 121];
const EXPENSIVE: Readonly<Record<number, number>> = { 82: 199, 96: 128, 114: 99 };

/** Month in which proposals for a season are written, from 1, by a word in the name. */
const SEASONS: readonly (readonly [RegExp, number])[] = [
  [/中秋|丰收/, 8],
  [/年货|新春/, 11],
  [/双十一/, 9],
  [/618|七夕|暑期|夏季|沙滩/, 5],
  [/春夏|读书日|春季/, 2],
];

function timeOf(name: string, random: Random): number {
  const season = SEASONS.find(([words]) => words.test(name))?.[1];
  const thisYear = name.startsWith('2026');
  if (season === undefined && !thisYear) {
    return FIRST + Math.floor(((TODAY - 9 * DAY_MS - FIRST) * Math.sqrt(random.next())) / DAY_MS) * DAY_MS;
  }
  const year = thisYear ? 2026 : 2024 + random.int(2);
  return Date.UTC(year, (season ?? 2 + random.int(7)) - 1, 2 + random.int(26));
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Page titles that say nothing about the deck. */
const PLAIN_TITLES = /^(目录|预算|.{0,2}目标|会场|路演指标|现场|规模|巡回)$/;

function scriptEntry(script: Script, number: number): Entry {
  const random = createRandom(number * 6271 + 20261120);
  const fresh = FRESH[number];
  const time = fresh === undefined ? timeOf(script.name, random) : TODAY - fresh * DAY_MS;
  const spoken = script.blocks.find(({ title }) => title !== '' && !PLAIN_TITLES.test(title));
  const keywords = new Set([
    script.industry,
    ...script.themes,
    script.type,
    script.city,
    script.brand,
    script.slogan,
    ...(spoken ? [spoken.title] : []),
  ]);
  const fileType: FileType = AS_PDF.includes(number) ? 'pdf' : 'pptx';
  return {
    number,
    script,
    name: script.name,
    brand: script.brand,
    industry: script.industry,
    themes: script.themes,
    type: script.type,
    collection: collectionOf(number).name,
    fileType,
    file: `${String(number).padStart(2, '0')}-${script.slug}.${fileType}`,
    price: FREE.includes(number) ? 0 : (EXPENSIVE[number] ?? random.pick(PRICES.slice(1))),
    date: day(time),
    keywords: [...keywords],
    researcher: random.chance(0.72) ? random.pick(RESEARCHERS) : '',
  };
}

const PACK_MANIFEST = join(import.meta.dirname, '../../demo/pack/manifest.csv');
/**
 * The decks up to this number were written by a generator that no longer exists; their files and manifest lines remain.
 */
const LAST_FINISHED = 72;

/** Returns the decks that lie finished in the pack, as the manifest of the pack describes them. */
function readFinished(): Entry[] {
  // Safe: the manifest is committed with this file and has these columns.
  const rows: Record<string, string>[] = parse(readFileSync(PACK_MANIFEST), { columns: true });
  return rows.slice(0, LAST_FINISHED).map((row, index) => {
    const file = basename(row['file'] ?? '');
    return {
      number: index + 1,
      script: null,
      name: row['name'] ?? '',
      brand: row['organization'] ?? '',
      industry: row['industry'] ?? '',
      themes: (row['themes'] ?? '').split(';'),
      type: row['type'] ?? '',
      collection: collectionOf(index + 1).name,
      fileType: extname(file).slice(1) as FileType,
      file,
      price: Number(row['price']),
      date: row['date'] ?? '',
      keywords: (row['keyword'] ?? '').split(','),
      researcher: row['researcher'] ?? '',
    };
  });
}

/** Returns every deck of the demo library with its facts, in a fixed order. */
export function readCatalogue(): Entry[] {
  const finished = readFinished();
  const scripts = [SCRIPTS_ONE, SCRIPTS_TWO, SCRIPTS_THREE, SCRIPTS_FOUR].flatMap(readScripts);
  return [...finished, ...scripts.map((script, index) => scriptEntry(script, finished.length + index + 1))];
}

const COLUMNS = 'file,name,themes,industry,organization,keyword,price,date,type,researcher,collection'.split(',');

/**
 * Returns the manifest for `ceku ingest --manifest`: UTF-8 CSV, themes separated by `;`, keywords by `,`. Ingest
 * ignores the column `collection`.
 */
export function manifestCsv(entries: readonly Entry[]): string {
  const rows = entries.map((entry) => [
    `files/${entry.file}`,
    entry.name,
    entry.themes.join(';'),
    entry.industry,
    entry.brand,
    entry.keywords.join(','),
    String(entry.price),
    entry.date,
    entry.type,
    entry.researcher,
    entry.collection,
  ]);
  return stringify([COLUMNS, ...rows], { record_delimiter: '\n' });
}

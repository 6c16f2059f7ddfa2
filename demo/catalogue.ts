import { createRandom, type Random } from './random.ts';
import { readDecks, type DeckCopy } from './copy/copy.ts';

export type FileType = 'pptx' | 'ppt' | 'pdf';

/** What the catalogue says about one deck, beside its copy. */
export interface Entry {
  copy: DeckCopy;
  fileType: FileType;
  /** File name in the pack: ASCII, stable. */
  file: string;
  /** Coins, integer. */
  price: number;
  /** `YYYY-MM-DD` */
  date: string;
  keywords: string[];
  researcher: string;
}

/** The library's present: dates are spread up to this day. */
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
/** Decks kept in the old binary format: simple ones, without many pictures. */
const LEGACY = [34, 38];
/** Decks added in the last seven days. */
const RECENT = [2, 14, 28, 47, 66];

/** Planners write a season's proposal some months before it. Month from 1, by a word of the name. */
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

function entryOf(copy: DeckCopy): Entry {
  const random = createRandom(copy.index * 7919 + 20261120);
  const fileType: FileType = LEGACY.includes(copy.index) ? 'ppt' : copy.index % 8 === 3 ? 'pdf' : 'pptx';
  const recent = RECENT.indexOf(copy.index);
  const time = recent >= 0 ? TODAY - recent * DAY_MS : timeOf(copy.name, random);
  const price = copy.index % 13 === 4 ? 0 : copy.index % 24 === 7 ? random.pick([99, 128, 199]) : random.pick(PRICES);
  const keywords = new Set([
    copy.industry.name,
    ...copy.themes,
    copy.type,
    copy.city,
    copy.brand,
    ...copy.highlights.slice(0, 1).map((point) => point.title),
  ]);
  return {
    copy,
    fileType,
    file: `${String(copy.index + 1).padStart(2, '0')}-${copy.play.key}.${fileType}`,
    price,
    date: day(time),
    keywords: [...keywords],
    researcher: random.chance(0.72) ? random.pick(RESEARCHERS) : '',
  };
}

/** Every deck of the demo library with its facts, in a fixed order. */
export function readCatalogue(): Entry[] {
  return readDecks().map(entryOf);
}

const quoted = (value: string): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** The manifest `ceku ingest --manifest` reads: UTF-8 CSV, themes separated by `;`, keywords by `,`. */
export function manifestCsv(entries: readonly Entry[]): string {
  const rows = entries.map(({ copy, file, keywords, price, date, researcher }) =>
    [
      `files/${file}`,
      copy.name,
      copy.themes.join(';'),
      copy.industry.name,
      copy.brand,
      keywords.join(','),
      String(price),
      date,
      copy.type,
      researcher,
    ]
      .map(quoted)
      .join(','),
  );
  return `file,name,themes,industry,organization,keyword,price,date,type,researcher\n${rows.join('\n')}\n`;
}

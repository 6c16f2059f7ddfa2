import { INDUSTRIES, THEMES } from '../src/library/taxonomy.ts';
import { createRandom, type Random } from './random.ts';
import {
  ARTS,
  CITY_WORDS,
  FESTIVALS,
  FORMATS,
  INDUSTRY_WORDS,
  PLATFORMS,
  POETRY,
  RESEARCHERS,
  TOPICS,
} from './name-words.ts';

/** Facts of a document without a file, for filling a catalogue and measuring search. */
export interface InventedDocument {
  name: string;
  keyword: string[];
  industry: string;
  themes: string[];
  organization: string;
  /** Price in coins. */
  price: number;
  /** Epoch seconds, from 2017 to 2026-11-20, more of them recent. */
  createdAt: number;
  researcher: string;
  type: string;
}

const SECONDS_A_DAY = 86_400;
const LAST = Date.UTC(2026, 10, 20) / 1000;
const DAYS = 3600;
const BRANDS = 20_000;

/** Picks the nth item with probability proportional to 1 / (n + 2)^exponent. */
function zipf<T>(items: readonly T[], exponent: number, random: Random): () => T {
  const sums = new Float64Array(items.length);
  let total = 0;
  for (let i = 0; i < items.length; i++) {
    total += (i + 2) ** -exponent;
    sums[i] = total;
  }
  return () => {
    const wanted = random.next() * total;
    let low = 0;
    let high = items.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    const item = items[low];
    if (item === undefined) throw new Error('empty list');
    return item;
  };
}

/** Returns invented brands: two or three characters, sometimes with the trade of the company. */
function inventBrands(random: Random): string[] {
  const brands = new Set<string>();
  while (brands.size < BRANDS) {
    const length = random.chance(0.35) ? 3 : 2;
    let brand = '';
    for (let i = 0; i < length; i++) brand += random.pick(ARTS.characters);
    brands.add(brand + (random.chance(0.3) ? random.pick(ARTS.endings) : ''));
  }
  return [...brands];
}

/**
 * Returns a function that returns the facts of the next document, without end. The same seed gives the same sequence.
 * Brands, cities, festivals, industries and formats are distributed by Zipf's law, as in real search queries.
 */
export function documentNames(seed: number): () => InventedDocument {
  const random = createRandom(seed);
  const nextBrand = zipf(inventBrands(random), 0.95, random);
  const nextIndustry = zipf(INDUSTRIES, 0.75, random);
  const nextCity = zipf(CITY_WORDS, 0.8, random);
  const nextFestival = zipf(FESTIVALS, 0.8, random);
  const nextFormat = zipf(FORMATS, 0.85, random);
  const nextPlatform = zipf(PLATFORMS, 0.9, random);
  const nextTopic = zipf(TOPICS, 0.7, random);
  const nextTheme = zipf(THEMES, 0.6, random);

  return () => {
    const industry = nextIndustry();
    const words = INDUSTRY_WORDS[industry] ?? [industry];
    const format = nextFormat();
    const brand = random.chance(0.82) ? nextBrand() : '';
    const city = random.chance(0.25) ? nextCity() : '';
    const festival = random.chance(0.36) ? nextFestival() : '';
    const platform = !format.platform && random.chance(0.1) ? nextPlatform() : '';
    const word = random.chance(0.6) ? (random.chance(0.5) ? industry : random.pick(words)) : '';
    const poem = random.chance(0.22) ? random.pick(POETRY) : '';
    const age = Math.floor(DAYS * (1 - Math.sqrt(random.next())));
    const year = random.chance(0.72) ? String(2026 - Math.floor((age + 41) / 365.25)) : '';
    const keyword = new Set<string>([industry]);
    if (festival) keyword.add(festival);
    if (city) keyword.add(city);
    if (platform) keyword.add(platform);
    const wanted = keyword.size + 2 + random.int(4);
    while (keyword.size < wanted) keyword.add(random.chance(0.6) ? nextTopic() : random.pick(words));
    const themes = new Set<string>(format.themes);
    if (festival) themes.add('节日营销');
    if (themes.size === 0 || random.chance(0.2)) themes.add(nextTheme());
    return {
      name: compose(random, { brand, city, festival, platform, word, poem, year, industry, format: format.name }),
      keyword: [...keyword],
      industry,
      themes: [...themes],
      organization: brand,
      price: priceOf(random),
      createdAt: LAST - age * SECONDS_A_DAY - random.int(SECONDS_A_DAY),
      researcher: random.chance(0.6) ? random.pick(RESEARCHERS) : '',
      type: format.type,
    };
  };
}

function priceOf(random: Random): number {
  const draw = random.next();
  if (draw < 0.12) return 0;
  if (draw < 0.97) return 3 + random.int(58);
  return 99 + random.int(100);
}

interface Parts {
  brand: string;
  city: string;
  festival: string;
  platform: string;
  word: string;
  poem: string;
  year: string;
  industry: string;
  format: string;
}

/** Returns a title in one of the four usual forms of agency file names, most common first. */
function compose(random: Random, parts: Parts): string {
  const { brand, city, festival, platform, word, poem, year, industry, format } = parts;
  const draw = random.next();
  if (draw < 0.5)
    return `${year}${city}${brand}${word}${festival}${poem ? `“${poem}”${format.startsWith('主题') ? '' : '主题'}` : ''}${platform}${format}`;
  if (draw < 0.75) return `${brand}${word}${year}${festival}${platform}${format}${poem ? `：${poem}` : ''}`;
  if (draw < 0.9) return `【${industry}】${year}${brand}${festival}${platform}${format}`;
  return `${festival || '年度'}${brand}${city}${platform}${word}${poem}${format}`;
}

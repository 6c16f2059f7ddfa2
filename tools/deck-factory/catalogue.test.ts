import { describe, expect, it } from 'vitest';
import { DOCUMENT_TYPES, INDUSTRIES, THEMES } from '../../src/library/taxonomy.ts';
import { manifestCsv, readCatalogue } from './catalogue.ts';
import { COLLECTIONS } from './collections.ts';

const entries = readCatalogue();
const TOTAL = 125;

describe('the demo catalogue', () => {
  it(`has ${TOTAL} decks with names and files of their own, numbered in order`, () => {
    expect(entries).toHaveLength(TOTAL);
    expect(new Set(entries.map((entry) => entry.name)).size).toBe(TOTAL);
    expect(new Set(entries.map((entry) => entry.file)).size).toBe(TOTAL);
    expect(entries.map((entry) => entry.number)).toEqual(entries.map((_, index) => index + 1));
  });

  it('has no two covers of the same look, palette and variant', () => {
    const scripts = entries.flatMap(({ script }) => script ?? []);
    const covers = new Set(scripts.map(({ look, palette, variant }) => `${look} ${palette} ${variant}`));
    expect(covers.size).toBe(scripts.length);
  });

  it('covers every industry, and every theme at least five times', () => {
    const industries = new Set(entries.map((entry) => entry.industry));
    expect(industries).toEqual(new Set(INDUSTRIES));
    for (const theme of THEMES) {
      expect(entries.filter((entry) => entry.themes.includes(theme)).length, theme).toBeGreaterThanOrEqual(5);
    }
    for (const { type, themes } of entries) {
      expect(DOCUMENT_TYPES).toContain(type);
      for (const theme of themes) expect(THEMES).toContain(theme);
    }
  });

  it('has every deck in exactly one collection', () => {
    const numbers = COLLECTIONS.flatMap((collection) => collection.decks);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(entries.map((entry) => entry.number));
    expect(COLLECTIONS.length).toBeGreaterThanOrEqual(10);
    expect(new Set(COLLECTIONS.map((collection) => collection.key)).size).toBe(COLLECTIONS.length);
  });

  it('has the hot words in the middle of several names', () => {
    for (const word of ['房地产', '餐饮', '电商', '服装', '小红书']) {
      const inside = entries.filter(({ name }) => name.indexOf(word) > 0 && !name.endsWith(word));
      expect(inside.length, word).toBeGreaterThanOrEqual(3);
    }
  });

  it('has free, ordinary and expensive decks, dated 2024 to 2026-11-20, some within the last week', () => {
    const prices = entries.map((entry) => entry.price);
    expect(prices.filter((price) => price === 0).length).toBeGreaterThanOrEqual(4);
    expect(prices.filter((price) => price >= 99).length).toBeGreaterThanOrEqual(2);
    expect(prices.every((price) => Number.isInteger(price) && price >= 0)).toBe(true);
    const dates = entries.map((entry) => entry.date).sort();
    expect(dates[0]?.slice(0, 4)).toBe('2024');
    expect(dates.at(-1)).toBe('2026-11-20');
    expect(dates.filter((date) => date >= '2026-11-14').length).toBeGreaterThanOrEqual(4);
  });

  it('writes a manifest line for every deck', () => {
    const lines = manifestCsv(entries).trim().split('\n');
    expect(lines[0]).toBe('file,name,themes,industry,organization,keyword,price,date,type,researcher,collection');
    expect(lines).toHaveLength(TOTAL + 1);
    expect(lines[1]).toMatch(/^files\/01-festival\.pptx,2026云澜江岸.*,过节不撞款$/);
  });
});

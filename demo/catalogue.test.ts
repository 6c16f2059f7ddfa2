import { describe, expect, it } from 'vitest';
import { DOCUMENT_TYPES, INDUSTRIES, THEMES } from '../src/library/taxonomy.ts';
import { manifestCsv, readCatalogue } from './catalogue.ts';

const entries = readCatalogue();

describe('the demo catalogue', () => {
  it('has 72 decks with names and files of their own', () => {
    expect(entries).toHaveLength(72);
    expect(new Set(entries.map((entry) => entry.copy.name)).size).toBe(72);
    expect(new Set(entries.map((entry) => entry.file)).size).toBe(72);
    expect(new Set(entries.map(({ copy }) => `${copy.style} ${copy.palette} ${copy.variant}`)).size).toBe(72);
  });

  it('covers every industry, and every theme at least three times', () => {
    const industries = new Set(entries.map((entry) => entry.copy.industry.name));
    expect([...industries].sort()).toEqual([...INDUSTRIES].sort());
    for (const theme of THEMES) {
      expect(entries.filter((entry) => entry.copy.themes.includes(theme)).length, theme).toBeGreaterThanOrEqual(3);
    }
    for (const { copy } of entries) {
      expect(DOCUMENT_TYPES).toContain(copy.type);
      for (const theme of copy.themes) expect(THEMES).toContain(theme);
    }
  });

  it('has the hot words in the middle of several names', () => {
    for (const word of ['房地产', '餐饮', '电商', '服装', '小红书']) {
      const inside = entries.filter(({ copy }) => copy.name.indexOf(word) > 0 && !copy.name.endsWith(word));
      expect(inside.length, word).toBeGreaterThanOrEqual(3);
    }
  });

  it('has free, ordinary and dear decks, dated 2024 to 2026-11-20, some within the last week', () => {
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
    expect(lines[0]).toBe('file,name,themes,industry,organization,keyword,price,date,type,researcher');
    expect(lines).toHaveLength(73);
    expect(lines[1]).toMatch(/^files\/01-festival\.pptx,2026云澜江岸/);
  });
});

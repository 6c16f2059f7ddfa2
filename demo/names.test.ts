import { describe, expect, it } from 'vitest';
import { DOCUMENT_TYPES, INDUSTRIES, THEMES } from '../src/library/taxonomy.ts';
import { documentNames } from './names.ts';

function take(seed: number, count: number) {
  const next = documentNames(seed);
  return Array.from({ length: count }, () => next());
}

describe('documentNames', () => {
  it('gives the same facts for the same seed and others for another', () => {
    expect(take(7, 500)).toEqual(take(7, 500));
    expect(take(7, 5)).not.toEqual(take(8, 5));
  });

  it('uses only words of the taxonomy, and names a person would accept', () => {
    const last = Date.UTC(2026, 10, 20) / 1000;
    const wrong = take(1, 20_000).filter((document) => {
      const length = [...document.name].length;
      return (
        !INDUSTRIES.includes(document.industry) ||
        !DOCUMENT_TYPES.includes(document.type) ||
        document.themes.length === 0 ||
        document.themes.some((theme) => !THEMES.includes(theme)) ||
        length < 4 ||
        length > 70 ||
        document.price < 0 ||
        document.createdAt > last ||
        new Set(document.keyword).size !== document.keyword.length
      );
    });
    expect(wrong).toEqual([]);
  });

  it('has every hot word in the middle of many names', () => {
    const names = take(3, 20_000).map((document) => document.name);
    for (const word of ['房地产', '餐饮', '电商', '服装', '小红书']) {
      const inside = names.filter((name) => name.indexOf(word) > 1);
      expect(inside.length, word).toBeGreaterThan(150);
    }
  });

  it('follows Zipf: the first industry is far more common than the last', () => {
    const counts = new Map<string, number>();
    for (const { industry } of take(4, 30_000)) counts.set(industry, (counts.get(industry) ?? 0) + 1);
    expect(counts.size).toBe(INDUSTRIES.length);
    expect((counts.get('房地产') ?? 0) / (counts.get('产业园区') ?? 1)).toBeGreaterThan(5);
  });
});

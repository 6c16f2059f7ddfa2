import { describe, expect, it } from 'vitest';
import { balance, fitSize, lineWidth } from './measure.ts';

const box = { w: 2, h: 0.5, size: 24, min: 10, spacing: 0, leading: 1, lines: 1 };

describe('fitSize', () => {
  it('keeps the wished size when the text fits', () => {
    expect(fitSize({ ...box, text: '年会', size: 16 })).toBe(16);
  });

  it('shrinks until one line fits its width', () => {
    const size = fitSize({ ...box, text: '一二三四五六七八' });
    expect(size).toBeLessThan(24);
    expect(lineWidth('一二三四五六七八', size)).toBeLessThanOrEqual(2 * 72);
  });

  it('stops the build when even the least size is too large', () => {
    expect(() => fitSize({ ...box, text: '字'.repeat(60) })).toThrow('does not fit');
  });
});

describe('balance', () => {
  it('leaves a short name alone and breaks a long one between words', () => {
    expect(balance('麦浪音乐节', 5.7, 22)).toBe('麦浪音乐节');
    expect(balance('椒语里火锅餐饮品牌小红书种草与到店转化方案', 5.7, 22)).toBe(
      '椒语里火锅餐饮品牌小红书\n种草与到店转化方案',
    );
  });
});

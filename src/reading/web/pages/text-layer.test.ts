import { expect, test } from 'vitest';
import type { PageWord } from '../../contract.ts';
import { linesOfWords } from './text-layer.tsx';

const word = (text: string, x: number, y: number, width = 0.1, height = 0.04): PageWord => ({
  text,
  x,
  y,
  width,
  height,
});

function texts(words: PageWord[]): string[] {
  return linesOfWords(words).map((line) => line.map(({ text }) => text).join(' '));
}

test('words side by side are a line, in any size', () => {
  const words = [
    word('2.7', 0.1, 0.1, 0.1, 0.08),
    word('次', 0.21, 0.14, 0.03),
    word('MARKET', 0.5, 0.14),
    word('INSIGHT', 0.61, 0.14),
  ];
  expect(texts(words)).toEqual(['2.7 次 MARKET INSIGHT']);
});

test('what stands lower, or further left, begins another', () => {
  const words = [word('目标', 0.1, 0.1), word('一', 0.1, 0.15), word('二', 0.3, 0.15), word('旁注', 0.05, 0.15)];
  expect(texts(words)).toEqual(['目标', '一 二', '旁注']);
});

test('no words, no lines', () => expect(linesOfWords([])).toEqual([]));

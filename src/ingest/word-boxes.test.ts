import { expect, test } from 'vitest';
import { joinWords, type CharBox } from './word-boxes.ts';

const char = (text: string, left: number, top: number, size = 100): CharBox => ({
  char: text,
  left,
  top,
  right: left + size,
  bottom: top + size,
});
const blank = (text: string): CharBox => ({ char: text, left: 0, top: 0, right: 0, bottom: 0 });

test('characters on one line are one word, up to a space', () => {
  const chars = [char('年', 0, 0), char('会', 100, 0), blank(' '), char('A', 300, 10), char('b', 390, 20, 80)];
  expect(joinWords(chars)).toEqual([
    ['年会', 0, 0, 200, 100],
    ['Ab', 300, 10, 170, 100],
  ]);
});

test('another line, another column and the way back are other words', () => {
  expect(joinWords([char('上', 0, 0), char('下', 100, 200)])).toHaveLength(2);
  expect(joinWords([char('左', 0, 0), char('右', 400, 0)])).toHaveLength(2);
  expect(joinWords([char('尾', 900, 0), char('首', 0, 30)])).toHaveLength(2);
});

test('letters set wide are words, parted where the gap is wider than the others', () => {
  const set = (text: string, left: number) =>
    [...text].flatMap((one, at) => [char(one, left + at * 150, 0), blank(' ')]);
  expect(joinWords([...set('GRAND', 0), ...set('OPEN', 850), char('年', 1_600, 0), char('会', 1_700, 0)])).toEqual([
    ['GRAND', 0, 0, 700, 100],
    ['OPEN', 850, 0, 550, 100],
    ['年会', 1_600, 0, 200, 100],
  ]);
  // A few letters alone may be just that.
  expect(joinWords(set('ABC', 0))).toHaveLength(3);
});

test('what is not drawn has no box', () => {
  expect(joinWords([blank('x'), blank('\n'), blank('\u0002')])).toEqual([]);
});

test('half a character alone is none, two halves are one', () => {
  expect(joinWords([char('\ud83c', 0, 0), char('\udf89', 100, 0), char('年', 200, 0), char('\ud800', 300, 0)])).toEqual(
    [['🎉年', 0, 0, 400, 100]],
  );
  expect(joinWords([char('\udfff', 0, 0)])).toEqual([]);
});

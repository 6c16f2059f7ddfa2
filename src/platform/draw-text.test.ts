import { describe, expect, it } from 'vitest';
import { canDraw, escapeXml, textWidth, wrapText } from './draw-text.ts';

describe('wrapText', () => {
  it.each([
    ['a short text is one line', '中秋方案', 10, 3, ['中秋方案']],
    ['a long one is broken', '江心升月中秋城市艺术节', 6, 3, ['江心升月中秋', '城市艺术节']],
    ['a closing mark hangs on', '江心升月中秋，城市', 6, 3, ['江心升月中秋，', '城市']],
    ['a Latin word stays whole', '年会 ANNUAL 盛典', 4, 3, ['年会', 'ANNUAL', '盛典']],
    ['too much ends in an ellipsis', '一二三四五六七八九', 3, 2, ['一二三', '四五…']],
    ['one endless word is cut', 'a'.repeat(100), 10, 3, ['a'.repeat(17)]],
    ['quotation marks are full-width', '双节“月满江岸”暖场', 6, 3, ['双节“月满江', '岸”暖场']],
    ['one closing mark hangs on, not two', '江心升月中秋……', 6, 3, ['江心升月中秋…']],
    ['nothing is no line', ' ', 10, 3, []],
  ])('%s', (_, text, width, lines, expected) => {
    expect(wrapText(text, width, lines)).toEqual(expected);
  });

  it('puts 60 characters into three lines of twenty', () => {
    const lines = wrapText('策'.repeat(60), 20, 3);
    expect(lines.join('')).toBe('策'.repeat(60));
  });
});

it('escapes what an SVG must not hold', () => {
  expect(escapeXml('<a b="c">&\u0000\ud800')).toBe('&#60;a b=&#34;c&#34;&#62;&#38;\ufffd');
});

it('counts Chinese and its punctuation as wide', () => {
  expect(textWidth('中a')).toBeCloseTo(1.56);
  expect(textWidth('“中”‘·’…—')).toBe(8);
});

it('draws Latin everywhere', async () => expect(await canDraw('Ceku')).toBe(true));

import { describe, expect, it } from 'vitest';
import { occasionsIn } from './occasions.ts';
import {
  cleanKeywords,
  cleanLine,
  dayText,
  isNew,
  isPlanDay,
  megabytes,
  pickSimilar,
  recommendScore,
  updateText,
  type LikenessFacts,
} from './rules.ts';

const NOW = Date.parse('2026-11-20T12:00:00+08:00');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  ['2026-11-20T00:00:00+08:00', true],
  ['2026-11-20T23:59:59+08:00', true],
  ['2026-11-21T00:00:00+08:00', false],
  ['1900-01-01T00:00:00+08:00', true],
  ['1899-12-31T09:00:00+08:00', false],
  ['0000-03-05T09:00:00+08:00', false],
])('a document may have the day of %s: %s', (day, may) => expect(isPlanDay(new Date(day), NOW)).toBe(may));

describe('updateText', () => {
  it.each([
    [-HOUR, '刚刚更新'],
    [0, '刚刚更新'],
    [59 * SECOND, '刚刚更新'],
    [MINUTE, '1分钟前更新'],
    [HOUR - 1, '59分钟前更新'],
    [HOUR, '1小时前更新'],
    [DAY - 1, '23小时前更新'],
    [DAY, '1天前更新'],
    [30 * DAY, '30天前更新'],
    [31 * DAY - 1, '30天前更新'],
    [31 * DAY, '2026-10-20更新'],
  ])('%i ms ago', (age, text) => expect(updateText(new Date(NOW - age), NOW)).toBe(text));
});

it('counts days by the calendar of Shanghai', () => {
  expect(dayText(new Date('2026-11-19T15:59:59Z'))).toBe('2026-11-19');
  expect(dayText(new Date('2026-11-19T16:00:00Z'))).toBe('2026-11-20');
});

it('is new for seven days', () => {
  expect(isNew(new Date(NOW - 7 * DAY + 1), NOW)).toBe(1);
  expect(isNew(new Date(NOW - 7 * DAY), NOW)).toBe(0);
});

it('gives sizes in megabytes of 1024²', () => {
  expect(megabytes(1_048_576)).toBe(1);
  expect(megabytes(1_572_864)).toBe(1.5);
  expect(megabytes(1)).toBe(0.01);
});

it('ranks heat against age: e times the heat is worth 60 days', () => {
  const today = new Date(NOW);
  expect(recommendScore(today, 10)).toBeGreaterThan(recommendScore(today, 9));
  expect(recommendScore(today, 0) - recommendScore(new Date(NOW - 60 * DAY), 0)).toBeCloseTo(1);
  expect(recommendScore(new Date(NOW - 60 * DAY), Math.E - 1)).toBeCloseTo(recommendScore(today, 0));
});

it('keeps names in one line that a database can hold', () => {
  expect(cleanLine('  中秋\u0000\n节\ud800 活动 ')).toBe('中秋 节 活动');
  expect([...cleanLine('好'.repeat(500))]).toHaveLength(200);
  expect(cleanLine('方案\u202etxt.fdp\u2069 ')).toBe('方案txt.fdp');
  expect(['\u3164', '\u2800 \uffa0', '\ufe0f'].map((text) => cleanLine(text))).toEqual(['', '', '']);
  expect(cleanKeywords('\u3164，中秋，地产、 中秋;;快闪\n路演')).toBe('中秋,地产,快闪,路演');
});

describe('pickSimilar', () => {
  const facts = (id: number, rest: Partial<LikenessFacts> = {}): LikenessFacts => ({
    id,
    name: '方案',
    fileId: id,
    industryId: null,
    typeId: null,
    themeIds: [],
    keyword: '',
    recommendScore: 0,
    ...rest,
  });
  const self = facts(1, { industryId: 7, themeIds: [1, 2], keyword: '中秋,地产' });

  it('puts what shares most first, and never itself', () => {
    const others = [
      self,
      facts(2, { recommendScore: 99 }),
      facts(3, { themeIds: [1] }),
      facts(4, { industryId: 7, themeIds: [1], keyword: '中秋' }),
      facts(5, { keyword: '地产,中秋' }),
    ];
    expect(pickSimilar(self, others)).toEqual([4, 5, 3, 2]);
  });

  it('puts plans for the same festival before those of the same industry and theme, and for another one before none', () => {
    const autumn = facts(1, { name: '楼盘中秋国庆暖场方案', industryId: 7, themeIds: [1, 2] });
    const others = [
      facts(2, { name: '楼盘交房活动', industryId: 7, themeIds: [1], recommendScore: 9 }),
      facts(3, { name: '楼盘七夕鉴赏夜', industryId: 7, themeIds: [1] }),
      facts(4, { name: '中秋茶礼新品上市', themeIds: [1] }),
      facts(5, { name: '航线首航仪式', themeIds: [1] }),
    ];
    expect(pickSimilar(autumn, others)).toEqual([4, 3, 2, 5]);
  });

  it.each([
    ['新春年货节', '春节团圆宴预售', true],
    ['东都上元灯会', '元宵游园', true],
    ['618 大促手册', '六一亲子日', false],
    ['2026618', '双11', false],
    ['1618 号馆开幕', '618 大促', false],
    ['中秋月饼', '中秋国庆双节', true],
  ])('%s and %s are for one occasion: %s', (one, other, isSame) => {
    const shared = [...occasionsIn(one)].filter((occasion) => occasionsIn(other).has(occasion));
    expect(shared.length > 0).toBe(isSame);
  });

  it('shows each content once, and eight at most', () => {
    const others = Array.from({ length: 30 }, (_, index) => facts(index + 2, { fileId: 100 + (index % 12) }));
    const picked = pickSimilar(self, [...others, facts(90, { fileId: self.fileId, industryId: 7 })]);
    expect(picked).toHaveLength(8);
    expect(new Set(picked.map((id) => (id - 2) % 12)).size).toBe(8);
  });
});

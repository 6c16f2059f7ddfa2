import { expect, it } from 'vitest';
import { sourceDocument } from '../../../../tests/source-document.ts';
import { similaritiesTo } from '../../decks/deck-similarity.ts';
import { SIGNIFICANT_TERMS } from '../../decks/deck-similarity.ts';
import { toIndexed } from './index-document.ts';

const termsOf = (name: string, ...texts: string[]) => toIndexed(sourceDocument({ id: 1, name, texts })).significant;
const SHARED = ['项目背景与目标', '活动预算与执行流程', '团队分工与风险预案'];

it('finds plans of the same subject similar, whatever pages all plans have', () => {
  const similaritiesOf = similaritiesTo([termsOf('奶茶店开业活动方案', '门店开业三天，奶茶第二杯半价', ...SHARED)]);
  const [alike = 0] = similaritiesOf(termsOf('茶饮新店开业方案', '奶茶试饮，第二杯半价，门店排队', ...SHARED));
  const [other = 0] = similaritiesOf(termsOf('马拉松赞助方案', '环湖路线，补给站与选手服务', ...SHARED));
  expect(alike).toBeGreaterThan(1.5 * other);
});

it('puts what the name and several pages say before what one page says', () => {
  const [first] = termsOf('灯会', '水稻收割');
  expect([first]).toEqual(termsOf('灯会'));
  const [onPages] = termsOf('方案', '收割', '收割', '收割', '收割', '灯会');
  expect([onPages]).toEqual(termsOf('', '收割'));
});

it('keeps a fixed number of pairs of Han characters, and no others', () => {
  const long = Array.from({ length: 300 }, (_, at) => String.fromCodePoint(0x4e00 + at * 7)).join('');
  expect(termsOf('', long)).toHaveLength(SIGNIFICANT_TERMS);
  expect(termsOf('', 'KOL 2026 5G')).toEqual([]);
});

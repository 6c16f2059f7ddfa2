import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectOk } from '../../src/protocol/call.ts';
import { searchDocuments, suggestWords } from '../../src/search/contract.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import { measureCharts, measureRelevance, openLibrary, summarize, type Library, type Measured } from './ask-library.ts';
import { emptySuggestions, measureAutomatic, PAIRS, type AutomaticFigures } from './automatic-queries.ts';
import { FIGURES, figuresOf, meanOf } from './figures.ts';
import floors from './floors.json' with { type: 'json' };

let app: TestApp;
let measured: Measured[];
let automatic: AutomaticFigures;
let library: Library;

beforeAll(async () => {
  app = await openTestApp({ hasEngine: true });
  library = await openLibrary(app);
  measured = await measureRelevance(library);
  automatic = await measureAutomatic(library, measured, PAIRS);
});
afterAll(() => app.close());

/** The floor of nDCG@10 of charts.tsv. */
const CHARTS_NDCG = 0.965;

/** Sets of which only the whole has a floor. */
const WHOLE_SETS = ['sentences', 'planners', 'trade', 'held-out', 'blind'] as const;

it('is a set of at least 200 queries, one of 80 sentences, one of 180 of planners, one of 270 of trade words, a held-out one of 80 and a blind one of 150, each asked once in its set, with a floor for every class', () => {
  const queries = measured.map(({ set, query }) => `${set}: ${query}`);
  expect(queries).toEqual([...new Set(queries)]);
  expect(measured.filter(({ set }) => set === 'queries').length).toBeGreaterThanOrEqual(200);
  expect(measured.filter(({ set }) => set === 'sentences').length).toBeGreaterThanOrEqual(80);
  expect(measured.filter(({ set }) => set === 'planners').length).toBeGreaterThanOrEqual(180);
  expect(measured.filter(({ set }) => set === 'trade').length).toBeGreaterThanOrEqual(270);
  expect(measured.filter(({ set }) => set === 'held-out').length).toBeGreaterThanOrEqual(80);
  expect(measured.filter(({ set }) => set === 'blind').length).toBeGreaterThanOrEqual(150);
  expect(Object.keys(floors).sort()).toEqual([...summarize(measured, 'queries').keys(), ...WHOLE_SETS].sort());
});

it.each(Object.entries(floors))('answers no worse than it did: %s', (name, floor) => {
  const figures = summarize(measured, WHOLE_SETS.find((set) => set === name) ?? 'queries').get(
    WHOLE_SETS.some((set) => set === name) ? 'overall' : name,
  );
  for (const key of FIGURES) {
    const message = `${key} of "${name}" fell. Mend the cause (node tests/relevance/measure.ts --worst 20); a floor may be lowered in tests/relevance/floors.json only in a commit that says so and why`;
    expect(figures?.[key], message).toBeGreaterThanOrEqual(floor[key]);
  }
});

it('answers queries of charts, graded before they were asked, no worse than it did', async () => {
  const charts = await measureCharts(library);
  expect(charts.length).toBeGreaterThanOrEqual(60);
  const { ndcg } = meanOf(charts.map(({ figures }) => figures));
  expect(ndcg, 'Mend the cause (node tests/relevance/measure.ts --worst 20)').toBeGreaterThanOrEqual(CHARTS_NDCG);
});

it('finds the one deck that holds a label and a word of its pages, first', () => {
  expect(automatic.pairs).toBe(PAIRS);
  expect(automatic.misses).toEqual([]);
});

it('answers a subject with a tail (活动策划方案模板) as well as the subject alone', () => {
  const [alone = 0, ...withTails] = automatic.ndcg;
  expect(automatic.heads).toBeGreaterThanOrEqual(100);
  for (const ndcg of withTails) expect(ndcg).toBeGreaterThanOrEqual(alone - 0.01);
});

it.each([
  '奶茶店开业',
  '新开业奶茶店',
  '给新开业奶茶店做一个三天的开业活动',
  '没人要的猫狗',
  '珠宝快闪店',
  '鞋',
  '我们是做果汁的想去便利店门口搞试饮',
])('each partial match of %s says which words of the trade it lacks', async (search_key) => {
  const { item_list } = expectOk(await app.call(searchDocuments, { search_key }));
  const partial = item_list.filter(({ match }) => match === 'partial');
  expect(partial.length).toBeGreaterThan(0);
  for (const { name, missing } of partial) expect([name, missing]).not.toEqual([name, []]);
  // Decks about tea and coffee that no opening stands in lack the opening, those about openings the shop.
  const lacks = (word: string) => partial.filter(({ missing }) => missing.includes(word)).length;
  if (search_key.includes('开业')) expect(Math.min(lacks('开业'), partial.length - lacks('开业'))).toBeGreaterThan(0);
});

it.each([['珠宝快闪店', /快闪/u, /珠宝/u]])(
  'lists plans of the kind of event that %s names before those of the trade',
  async (search_key, event, trade) => {
    const { item_list } = expectOk(await app.call(searchDocuments, { search_key }));
    const names = item_list.map(({ name }) => name.replace(/<\/?em>/g, ''));
    const kinds = names.flatMap((name) => (event.test(name) ? 'event' : trade.test(name) ? 'trade' : []));
    expect(kinds.filter((kind) => kind === 'event').length).toBeGreaterThanOrEqual(3);
    expect(kinds).toEqual(kinds.toSorted());
  },
);

it('lists markets of other trades among the first that 茶饮市集 finds, below the one of its trade', async () => {
  const { item_list } = expectOk(await app.call(searchDocuments, { search_key: '茶饮市集' }));
  expect(item_list[0]?.match).toBe('full');
  expect(item_list.slice(1, 5).filter(({ missing }) => missing.includes('茶饮')).length).toBeGreaterThanOrEqual(3);
});

it.each([
  ['商场中秋步展方案', '商场中秋布展方案'],
  ['新店开页活动', '新店开业活动'],
  ['引留拓客方案', '引流拓客方案'],
])('answers %s as %s, and says so', async (search_key, corrected) => {
  const { corrected_from, searched_for } = expectOk(await app.call(searchDocuments, { search_key }));
  expect([corrected_from, searched_for]).toEqual([search_key, corrected]);
});

it.each(['618预热海报文案', '618海报'])(
  'finds the plan of the day that %s names among the first',
  async (search_key) => {
    const { item_list } = expectOk(await app.call(searchDocuments, { search_key }));
    expect(item_list.slice(0, 3).filter(({ name }) => name.includes('618'))).toHaveLength(1);
  },
);

it.each([
  ['年底营销', '年货', '年底'],
  ['五一黄金周', '国庆', '五一黄金周'],
])('answers %s by what is near it', async (search_key, near, missing) => {
  const { item_list, full_count } = expectOk(await app.call(searchDocuments, { search_key }));
  expect(full_count).toBe(0);
  expect(item_list[0]?.name).toContain(near);
  expect(item_list[0]?.missing).toContain(missing);
});

it('suggests nothing that finds nothing', async () => {
  expect(library.suggested.length).toBeGreaterThan(1_000);
  // Every fifth, for the sake of time; node tests/relevance/measure.ts asks all of them.
  const asked = library.suggested.filter((_, at) => at % 5 === 0);
  expect(await emptySuggestions(library, asked)).toEqual([]);
});

it.each([
  ['618', '618'],
  ['520', '520'],
  ['KOL', 'KOL'],
  ['AI', 'AI'],
  ['saas', 'SaaS'],
  ['地产', '房地产'],
  ['认筹', '认筹'],
  ['nianhuo', '年货节'],
  ['kaiyeq', '开业庆典'],
  ['kaiyeqig', '开业庆典'],
])('suggests for %s what contains it: %s', async (prefix, word) => {
  const { items } = expectOk(await app.call(suggestWords, { prefix }));
  expect(items.map(({ text }) => text)).toContain(word);
});

it.each([
  ['奶茶', '茶饮'],
  ['团建', '露营'],
  ['快闪 奶茶', '快闪 茶饮'],
  ['300人', '300人'],
  ['20万', '20万'],
])('suggests for %s, which is no word of the library, %s, which finds something', async (prefix, text) => {
  const { items } = expectOk(await app.call(suggestWords, { prefix }));
  const found = items.find((item) => item.text === text);
  expect(found?.count).toBeGreaterThan(0);
  expect(found?.related).toBe(text === prefix ? undefined : 1);
});

it('suggests nothing related beside words that complete the typed one', async () => {
  const { items } = expectOk(await app.call(suggestWords, { prefix: '年会' }));
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect(item).not.toHaveProperty('related');
});

it('stays empty where the library has nothing', () => {
  const honest = measured.filter(({ grades, found }) => grades.size === 0 && found.length === 0);
  expect(honest.length).toBeGreaterThanOrEqual(84);
});

it('measures an order as the textbooks do', () => {
  const judged = { query: '', class: '', grades: new Map(Object.entries({ best: 3, good: 2, related: 1 })) };
  expect(figuresOf(judged, ['best', 'good', 'related'])).toEqual({ ndcg: 1, recall: 1, mrr: 1 });
  expect(figuresOf(judged, [])).toEqual({ ndcg: 0, recall: 0, mrr: 0 });
  const { ndcg, recall, mrr } = figuresOf(judged, ['other', 'best']);
  expect([recall, mrr]).toEqual([0.5, 0.5]);
  expect(ndcg).toBeCloseTo(7 / Math.log2(3) / (7 + 3 / Math.log2(3) + 1 / 2));
});

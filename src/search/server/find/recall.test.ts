import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentNames } from '../../../../demo/names.ts';
import { createRandom } from '../../../../demo/random.ts';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { INDUSTRIES } from '../../../library/taxonomy.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { HOT_WORDS } from '../../../../tests/hot-words.ts';
import { queryLiteral } from '../../literals.ts';
import { queryWords } from '../../words.ts';
import { rebuildSearch } from '../indexing/rebuild-search.ts';
import { selectEntries } from '../indexing/store-entries.ts';
import { cutWords } from '../words/cut-words.ts';

const NAMES = 4_000;
const FESTIVALS = ['中秋节', '国庆节', '春节', '端午节', '七夕', '双十一', '女神节'];
const FORMATS = ['活动策划', '小红书', '新品发布会', '开业', '年会', '直播', '全案'];

let app: TestApp;
let documents: { id: number; name: string }[];

beforeAll(async () => {
  app = await openTestApp();
  const { id } = await addPublished(app, { name: '第一份' });
  await app.ctx.db.execute(sql`insert into documents (file_id, name, state)
    select d.file_id, made.name, 'published' from documents d, unnest(${sql.param(makeNames())}::text[]) as made (name) where d.id = ${id}`);
  await rebuildSearch(app.ctx, () => undefined);
  documents = await rowsOf(app.ctx.db, sql`select id, name from documents`);
});
afterAll(() => app.close());

function makeNames(): string[] {
  const next = documentNames(7);
  return Array.from({ length: NAMES }, () => next().name);
}

async function search(query: string): Promise<Set<number>> {
  const words = queryWords(query, cutWords);
  const wanted = { filter: {}, sort: 'relevance', limit: NAMES + 1, offset: 0, now: Date.now() } as const;
  const { ids, total } = await selectEntries(app.ctx.db, { ...wanted, bonuses: [], query: queryLiteral(words) });
  expect(ids).toHaveLength(total);
  return new Set(ids);
}

const scan = (text: string) => documents.filter(({ name }) => name.includes(text));

it.each([...HOT_WORDS, '地产', '中秋', '秋节', '双十', '种草', '策', '案', '618', '2024', '悦', '商业'])(
  'finds exactly what a scan for %s finds',
  async (word) => {
    const expected = scan(word).map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(0);
    expect([...(await search(word))].sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
  },
);

it('finds every name by any piece of it that was cut out between numbers', async () => {
  const random = createRandom(11);
  const missed: string[] = [];
  for (let round = 0; round < 300; round++) {
    const { id, name } = random.pick(documents);
    const start = random.int(name.length - 2);
    const piece = name.slice(start, start + 2 + random.int(8));
    const isInsideNumber = /\w/.test(name[start - 1] ?? '') && /^\w/.test(piece);
    if (isInsideNumber || !/[^年]/.test(piece)) continue;
    if (!(await search(piece)).has(id)) missed.push(`${name} by ${piece}`);
  }
  expect(missed).toEqual([]);
});

it('finds two and three words typed without a space', async () => {
  const random = createRandom(13);
  for (let round = 0; round < 100; round++) {
    const words = [random.pick(INDUSTRIES), random.pick(FESTIVALS), random.pick(FORMATS)].filter(Boolean);
    const expected = documents.filter(({ name }) => words.every((word) => name.includes(word)));
    const hits = await search(words.join(''));
    expect(expected.filter(({ id }) => !hits.has(id))).toEqual([]);
  }
});

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPublished } from '../../../tests/published-document.ts';
import { typeCommand } from '../../../tests/type-command.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { EXIT } from '../../platform/command-line.ts';
import { libraryCommands } from './commands.ts';
import { findDocument } from './catalogue.ts';
import { hideDocument } from './documents.ts';
import { listLabels, seedTaxonomy } from './labels.ts';
import { recommendScore } from '../rules.ts';
import { documents, files } from './tables.ts';

let app: TestApp;
const ids: number[] = [];

beforeAll(async () => {
  app = await openTestApp();
  await seedTaxonomy(app.ctx);
  for (const [index, industry] of ['餐饮', '汽车', '餐饮', '', '餐饮'].entries()) {
    const { id } = await addPublished(app, {
      name: `Gala ${index} 100%`,
      industry,
      fileType: index === 2 ? 'pdf' : 'pptx',
      createdAt: new Date(Date.UTC(2026, 0, 1 + index)),
    });
    ids.push(id);
  }
});
afterAll(() => app.close());

const run = (...argv: string[]) => typeCommand((program) => libraryCommands(program, (work) => work(app.ctx)), argv);

/** Ids of what is listed, as given. */
async function list(...options: string[]): Promise<number[]> {
  const { out, code } = await run('document', 'list', '--json', ...options);
  expect(code).toBe(EXIT.ok);
  // Lines that the command printed.
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { id: number }).id);
}

test('documents are listed by state, type, industry, words in the title and day, the newest first', async () => {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = ids;
  expect(await list()).toEqual([fifth, fourth, third, second, first]);
  expect(await list('--industry', '餐饮', '--type', 'pptx')).toEqual([fifth, first]);
  expect(await list('--type', 'pdf')).toEqual([third]);
  expect(await list('--text', 'gala 3 100%')).toEqual([fourth]);
  // The fourth of January in Shanghai begins while it is the third in UTC.
  expect(await list('--since', '2026-01-04')).toEqual([fifth, fourth]);
  await hideDocument(app.ctx, second, 'operator');
  expect(await list('--state', 'hidden')).toEqual([second]);
  const { out } = await run('document', 'list', '--state', 'hidden');
  expect(out).toContain(`${second}  hidden      pptx  2026-01-02`);
});

test('a list goes on where it ended, and says that there is more', async () => {
  const page = await run('document', 'list', '--limit', '2');
  expect(page.err).toContain(`--after ${ids[3]}`);
  expect(await list('--limit', '2', '--after', String(ids[3]))).toEqual([ids[2], ids[1]]);
  expect((await run('document', 'list', '--after', String(ids[0]))).err).toContain('No document');
});

test.each([
  [['--state', 'gone'], EXIT.usage, 'one of processing'],
  [['--since', '2026-02-30'], EXIT.usage, 'a day such as'],
  [['--industry', '餐飲业'], EXIT.data, '餐饮'],
  [['--type', '策划案'], EXIT.data, '策划方案'],
  [['--limit', '0'], EXIT.usage, 'whole number'],
])('a list of what is not there is refused: %j', async (options, code, words) => {
  const refused = await run('document', 'list', ...options);
  expect(refused).toMatchObject({ code, out: '' });
  expect(refused.err).toContain(words);
});

test('a misspelt industry or theme is refused with similar names, and none is created', async () => {
  const id = String(ids[0]);
  const industries = await listLabels(app.ctx, 'industry');
  const themes = await listLabels(app.ctx, 'theme');
  const industry = await run('document', 'set', id, '--industry', '茶饮咖非', '--name', '新名');
  expect(industry.code).toBe(EXIT.data);
  expect(industry.err).toContain('There is no industry "茶饮咖非". Did you mean 茶饮咖啡');
  const theme = await run('document', 'set', id, '--themes', '新品发布;年会庆典');
  expect(theme.code).toBe(EXIT.data);
  expect(theme.err).toContain('年会盛典');
  expect(await listLabels(app.ctx, 'industry')).toEqual(industries);
  expect(await listLabels(app.ctx, 'theme')).toEqual(themes);
  expect((await findDocument(app.ctx, ids[0] ?? 0))?.name).toBe('Gala 0 100%');
  expect((await run('document', 'set', id, '--industry', '汽车', '--themes', ' 新品发布 ; 年会盛典;')).code).toBe(
    EXIT.ok,
  );
  expect(await findDocument(app.ctx, ids[0] ?? 0)).toMatchObject({ industryName: '汽车', themeIds: [2, 4] });
  expect((await run('document', 'set', id, '--industry', '')).code).toBe(EXIT.ok);
  expect((await findDocument(app.ctx, ids[0] ?? 0))?.industryName).toBeNull();
});

test('type, organization, author and day of a document are set, and the day decides its place in lists', async () => {
  const [id = 0] = ids;
  const set = (...words: string[]) => run('document', 'set', String(id), ...words);
  const before = await findDocument(app.ctx, id);
  const edit = ['--type', '提案', '--organization', '某某 传播', '--researcher', '林一', '--date', '2026-01-05'];
  expect((await set(...edit)).code).toBe(EXIT.ok);
  const after = await findDocument(app.ctx, id);
  expect(after).toMatchObject({ typeName: '提案', organizationName: '某某 传播', researcher: '林一' });
  expect(after?.createdAt).toEqual(new Date('2026-01-04T16:00:00Z'));
  expect(after?.name).toBe(before?.name);
  const [row] = await app.ctx.db
    .select({ score: documents.recommendScore })
    .from(documents)
    .where(eq(documents.id, id));
  expect(row?.score).toBeCloseTo(recommendScore(new Date('2026-01-04T16:00:00Z'), 0), 9);

  expect(await set('--type', '提纲')).toMatchObject({ code: EXIT.data, out: '' });
  for (const day of ['2026-02-30', '5.1.2026', '0000-03-05', '1899-12-31', ''])
    expect(await set('--date', day)).toEqual({
      code: EXIT.usage,
      out: '',
      err: '--date is a day such as 2026-03-05.\n',
    });
  expect(await set('--date', '2999-01-01')).toMatchObject({
    code: EXIT.usage,
    err: '--date is today or a day before.\n',
  });
  expect((await set('--organization', '', '--researcher', '')).code).toBe(EXIT.ok);
  expect(await findDocument(app.ctx, id)).toMatchObject({ organizationName: null, researcher: '', typeName: '提案' });
});

test.each(['', ' ', '\u200b', '\u202e'])('a title of nothing that is seen is refused: %j', async (name) => {
  const refused = await run('document', 'set', String(ids[0]), '--name', name);
  expect(refused).toEqual({ code: EXIT.usage, out: '', err: 'A document needs a title.\n' });
});

test('a document is shown with all that its page says, and with what only operators see', async () => {
  const { id } = await addPublished(app, {
    name: '春季发布会',
    industry: '汽车',
    themes: ['新品发布'],
    organization: '某某传播',
    researcher: '林一',
    keyword: '春季,发布',
    priceCoins: 7,
    // The fifth of March in Shanghai.
    createdAt: new Date('2026-03-04T16:30:00Z'),
  });
  const file = (await findDocument(app.ctx, id))?.fileId ?? 0;
  await app.ctx.db
    .update(files)
    .set({ fonts: { '\u009b2J黑体': 'Noto Sans CJK SC' } })
    .where(eq(files.id, file));
  const { out } = await run('document', 'show', String(id));
  const words = ['林一', 'created 2026-03-05', '汽车', '新品发布', '某某传播', '春季,发布', '7 coins', 'published'];
  for (const said of [...words, 'previews of', 'outline of']) expect(out).toContain(said);
  // A name out of a stranger's file, on a terminal.
  expect(out).toContain('font \ufffd2J黑体 was drawn as Noto Sans CJK SC');
  const json = await run('document', 'show', String(id), '--json');
  expect(JSON.parse(json.out)).toMatchObject({ researcher: '林一', themes: ['新品发布'], hiddenReason: null });
  await hideDocument(app.ctx, id, 'copyright');
  expect((await run('document', 'show', String(id))).out).toContain('hidden (copyright)');
});

test('what a take-down hid stays lost for its owners, and hidden, unless the operator says so', async () => {
  const { id } = await addPublished(app);
  const hiddenReason = async () => (await findDocument(app.ctx, id))?.hiddenReason;
  await hideDocument(app.ctx, id, 'copyright');
  expect((await run('document', 'hide', String(id))).out).toBe(`Document ${id} is hidden (copyright).\n`);
  expect(await hiddenReason()).toBe('copyright');
  const refused = await run('document', 'restore', String(id));
  expect([refused.code, await hiddenReason()]).toEqual([EXIT.data, 'copyright']);
  expect(refused.err).toContain('ceku takedown restore');
  expect((await run('document', 'hide', String(id), '--reason', 'operator')).code).toBe(EXIT.ok);
  expect(await hiddenReason()).toBe('operator');
  expect((await run('document', 'restore', String(id))).out).toBe(`Document ${id} is published again.\n`);
  await hideDocument(app.ctx, id, 'illegal');
  expect((await run('document', 'restore', String(id), '--despite-reason')).code).toBe(EXIT.ok);
  expect(await findDocument(app.ctx, id)).toMatchObject({ state: 'published', hiddenReason: null });
});

test('a document without anything to show is not restored, and the operator reads why', async () => {
  const { id } = await addPublished(app, { fileState: 'failed', isPublished: false });
  await run('document', 'hide', String(id));
  const { code, err } = await run('document', 'restore', String(id));
  expect(code).toBe(EXIT.data);
  expect(err).toContain(`its file is failed. ceku convert --document ${id} prepares it again`);
});

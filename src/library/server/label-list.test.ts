import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { typeCommand } from '../../../tests/type-command.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { expectOk } from '../../protocol/call.ts';
import { listIndustries, listThemes } from '../contract.ts';
import { findDocument } from './catalogue.ts';
import { labelCommands } from './label-commands.ts';
import { formatLabelList, setLabelList } from './label-list.ts';
import { listLabels, seedTaxonomy, themeIdsOf } from './labels.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
  await seedTaxonomy(app.ctx);
});
afterEach(() => app.close());

const ceku = (...words: string[]) => typeCommand((program) => labelCommands(program, (work) => work(app.ctx)), words);
async function fileOf(text: string): Promise<string> {
  const file = join(app.folder, 'labels.yaml');
  await writeFile(file, text);
  return file;
}
const themes = async () => expectOk(await app.call(listThemes, {})).data;

it.each([
  ['GB18030', Buffer.from('bbeeb6af', 'hex')],
  ['UTF-16', Buffer.from('\ufeffthemes: []', 'utf16le')],
])('refuses a file in %s, whose names would be read as other characters', async (_encoding, bytes) => {
  const file = await fileOf('');
  await writeFile(file, bytes);
  const { code, err, out } = await ceku('theme', 'set', file);
  expect([code, out]).toEqual([65, '']);
  expect(err).toContain('is not UTF-8 text. Save it as UTF-8.');
});

it('reads a file with a byte order mark', async () => {
  const { out } = await ceku('theme', 'export');
  expect((await ceku('theme', 'set', await fileOf(`\ufeff${out}`))).out).toBe('Nothing changes.\n');
});

it('exports what set reads, shows a difference, and makes it with --yes', async () => {
  const { id: document } = await addPublished(app, { themes: ['新品发布'], industry: '餐饮' });
  const { out } = await ceku('theme', 'export');
  expect(await ceku('theme', 'set', await fileOf(out), '--yes')).toMatchObject({ out: 'Nothing changes.\n' });
  const all = await listLabels(app.ctx, 'theme');
  const [first, second, ...rest] = all;
  const last = rest.pop();
  if (!first || !second || !last) return expect.fail('there are twenty themes');
  // The first two exchange their names, the last is left out, one is new.
  const wanted = [
    { id: first.id, name: second.name },
    { id: second.id, name: first.name },
    ...rest,
    { id: null, name: '夜市经济' },
  ];
  const file = await fileOf(formatLabelList('theme', wanted).replace(/^ +- id: null\n +name/m, '  - name'));
  const difference =
    `~ ${first.name} (id ${first.id}): name ${first.name} → ${second.name}\n` +
    `~ ${second.name} (id ${second.id}): name ${second.name} → ${first.name}\n+ 夜市经济\n- ${last.name} (id ${last.id})\n`;
  expect((await ceku('theme', 'set', file)).out).toBe(`${difference}Nothing changed yet. Add --yes to change it.\n`);
  expect(await themes()).toEqual(all);
  expect((await ceku('theme', 'set', file, '--yes')).out).toBe(`${difference}Changed.\n`);
  const names = (await themes()).map(({ name }) => name);
  expect(names).toEqual(wanted.map(({ name }) => name));
  // The next start leaves the list of the operator alone, and goes on with the others.
  await seedTaxonomy(app.ctx);
  expect((await themes()).map(({ name }) => name)).toEqual(names);
  // The document follows its label, whose name changed.
  expect((await findDocument(app.ctx, document))?.themeIds).toEqual([second.id]);
  expect((await ceku('theme', 'list')).out).toContain(`${second.id}  ${first.name}: 1 documents\n`);
});

it('renames an industry in its documents, and refuses to remove one that documents have', async () => {
  const { id } = await addPublished(app, { industry: '餐饮' });
  const industries = await listLabels(app.ctx, 'industry');
  const renamed = industries.map((label) => (label.name === '餐饮' ? { ...label, name: '餐饮美食' } : label));
  expect(await setLabelList(app.ctx, 'industry', renamed)).toMatchObject({ isDone: true });
  expect((await findDocument(app.ctx, id))?.industryName).toBe('餐饮美食');
  expect(expectOk(await app.call(listIndustries, {})).data[1]?.name).toBe('餐饮美食');
  const without = renamed.filter(({ name }) => name !== '餐饮美食');
  const ended = await ceku('industry', 'set', await fileOf(formatLabelList('industry', without)), '--yes');
  expect(ended).toMatchObject({ code: 65, out: '', err: expect.stringMatching(/餐饮美食 .* 1 documents have it/) });
  expect(await listLabels(app.ctx, 'industry')).toEqual(renamed);
});

it('refuses wrong files and changes nothing', async () => {
  const before = await themes();
  for (const [text, words] of [
    ['themes: []', /at least 1 label/],
    ['themes:\n  - name: 甲\n  - name: 甲', /甲 is used twice/],
    ['themes:\n  - id: 9999\n    name: 甲', /9999 is no theme/],
    ['themes:\n  - name: 甲;乙', /no comma/],
    [`themes:\n  - name: ${'字'.repeat(41)}`, /at most 40 characters/],
    ['industries:\n  - name: 甲', /is wrong/],
    ['{', /is no list of themes/],
  ] as const) {
    const ended = await ceku('theme', 'set', await fileOf(text), '--yes');
    expect(ended, text).toMatchObject({ code: 65, out: '' });
    expect(ended.err, text).toMatch(words);
  }
  expect(await themes()).toEqual(before);
});

it('waits for a document that is just being given a theme, and then refuses to remove the theme', async () => {
  const { id: document } = await addPublished(app);
  const all = await listLabels(app.ctx, 'theme');
  const last = all.at(-1) ?? expect.unreachable('there is no theme');
  let removal = Promise.resolve('');
  await app.ctx.db.transaction(async (tx) => {
    const ids = await themeIdsOf(tx, [last.name]);
    let hasEnded = false;
    removal = setLabelList(app.ctx, 'theme', all.slice(0, -1))
      .then(() => 'removed', String)
      .finally(() => (hasEnded = true));
    const waiting = sql`select from pg_locks where not granted and relation = 'themes'::regclass`;
    await expect.poll(async () => hasEnded || (await rowsOf(app.ctx.db, waiting)).length === 1).toBe(true);
    await tx.execute(sql`update documents set theme_ids = ${sql.param(ids)}::int[] where id = ${document}`);
  });
  expect(await removal).toMatch(/1 documents have it/);
});

it('applies parallel lists one after another', async () => {
  const all = await listLabels(app.ctx, 'theme');
  const lists = [1, 2, 3].map((number) => [...all, { id: null, name: `新主题${number}` }]);
  const done = await Promise.allSettled(lists.map((list) => setLabelList(app.ctx, 'theme', list)));
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  // The list that came last is the list of the site: it does not name what the others added.
  const names = (await themes()).map(({ name }) => name);
  expect(names.slice(0, -1)).toEqual(all.map(({ name }) => name));
  expect(names.at(-1)).toMatch(/^新主题[123]$/);
});

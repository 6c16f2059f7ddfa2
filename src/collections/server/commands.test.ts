import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { typeCommand } from '../../../tests/type-command.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { findCollectionList, setCollectionList } from './collection-list.ts';
import { collectionCommands } from './commands.ts';

let app: TestApp;
let one: number;
let two: number;
let hidden: number;
beforeAll(async () => {
  app = await openTestApp();
  one = (await addPublished(app, { name: '中秋 # "暖场": [方案]' })).id;
  two = (await addPublished(app, { name: '开业方案' })).id;
  hidden = (await addPublished(app, { name: '下架方案' })).id;
  await hideDocument(app.ctx, hidden, 'operator');
});
afterAll(() => app.close());

const ceku = (...words: string[]) =>
  typeCommand((program) => collectionCommands(program, (work) => work(app.ctx)), ['collection', ...words]);

async function fileOf(text: string): Promise<string> {
  const file = join(app.folder, 'collections.yaml');
  await writeFile(file, text);
  return file;
}
const listed = async () => (await findCollectionList(app.ctx)).list;

const fileWith = (ids: readonly number[]) =>
  `collections:\n  - name: 过节不撞款\n    description: 同一个日子\n    tags: [节日, 国潮]\n    documents: [${ids.join(', ')}]\n` +
  '  - name: 开门第一天\n';

describe('ceku collection', () => {
  beforeEach(() => setCollectionList(app.ctx, []));

  it('shows what a file changes, changes it with --yes, and exports what set reads', async () => {
    expect((await ceku('list')).out).toBe('No collections.\n');
    const file = await fileOf(fileWith([one, hidden, two]));
    expect((await ceku('set', file)).out).toBe(
      '+ 过节不撞款: 3 documents\n+ 开门第一天: 0 documents\nNothing changed yet. Add --yes to change it.\n',
    );
    expect(await listed()).toEqual([]);
    expect((await ceku('set', file, '--yes')).out).toMatch(/Changed\.\n$/);
    expect((await ceku('list')).out).toMatch(/^\d+ {2}过节不撞款: 3 documents, 2 of them published\n/);
    expect(JSON.parse((await ceku('list', '--json')).out).collections).toMatchObject([
      { name: '过节不撞款', tags: ['节日', '国潮'], documents: [one, hidden, two], shown: 2 },
      { name: '开门第一天', description: '', tags: [], documents: [], shown: 0 },
    ]);
    const { out } = await ceku('export');
    expect(out).toContain(`- ${one} # 中秋 # "暖场": [方案]\n`);
    expect(out).toContain(`- ${hidden} # 下架方案 (hidden)\n`);
    expect((await ceku('set', await fileOf(out), '--yes')).out).toBe('Nothing changes.\n');
  });

  it('names each difference, and brings back a collection that was left out', async () => {
    await ceku('set', await fileOf(fileWith([one, hidden])), '--yes');
    const [first, second] = await listed();
    if (!first?.id || !second?.id) return expect.fail('two collections were set');
    // The names change places: no name is used twice at any moment.
    const swapped =
      `collections:\n  - id: ${second.id}\n    name: 过节不撞款\n  - id: ${first.id}\n    name: 开门第一天\n` +
      `    description: 同一个日子\n    tags: [节日]\n    documents: [${two}, ${one}]\n`;
    const swap = await ceku('set', await fileOf(swapped), '--yes', '--json');
    expect(JSON.parse(swap.out)).toEqual({
      changed: true,
      changes: [
        `~ 开门第一天 (id ${second.id}): name 开门第一天 → 过节不撞款, position 2 → 1`,
        `~ 过节不撞款 (id ${first.id}): name 过节不撞款 → 开门第一天, tags 节日 国潮 → 节日, documents added ${two}, ` +
          `documents removed ${hidden}, documents in another order, position 1 → 2`,
      ],
    });
    expect((await listed())[1]).toMatchObject({ id: first.id, documents: [two, one] });
    expect((await ceku('set', await fileOf('collections: []'), '--yes')).out).toContain(
      `- 开门第一天 (id ${first.id}) is no longer shown\nChanged.\n`,
    );
    expect((await ceku('set', await fileOf(swapped), '--yes')).out).toContain(
      `+ 开门第一天 (id ${first.id}) is shown again: 2 documents\n`,
    );
  });

  it('applies parallel lists one after another: the list on the site is one of them', async () => {
    const lists = [1, 2, 3, 4, 5].map((number) => [
      { id: null, name: `第 ${number} 组甲`, description: '', tags: [], documents: [one] },
      { id: null, name: `第 ${number} 组乙`, description: '', tags: [], documents: [two] },
    ]);
    await Promise.all(lists.map((list) => setCollectionList(app.ctx, list)));
    const names = (await listed()).map(({ name }) => name);
    expect(lists.map((list) => list.map(({ name }) => name))).toContainEqual(names);
  });
});

describe('ceku collection set with a wrong file', () => {
  beforeAll(async () => void (await ceku('set', await fileOf(fileWith([one])), '--yes')));

  it.each([
    ['{', /is no list of collections/],
    ['', /The file is empty\.\n$/],
    ['collections: 3', /collections is wrong/],
    ['collections:\n  - name: 一', /line 2: collections\[0\]\.name must have at least 2 characters/],
    ['collections:\n  - name: "a\\tb"', /must be one line of visible characters/],
    ['collections:\n  - name: "\u3164\u3164"', /must be one line of visible characters/],
    [`collections:\n  - name: ${'字'.repeat(61)}`, /must have at most 60 characters/],
    ['collections:\n  - name: 专题\n    banner: x', /collections\[0\]/],
    ['collections:\n  - name: 专题\n    tags: [一, 一]', /tags has 一 twice/],
    ['collections:\n  - name: 专题\n    tags: ["一,二"]', /must be one word/],
    ['collections:\n  - name: 专题\n    tags: [一, 二, 三, 四, 五, 六]', /must have at most 5 tags/],
    ['collections:\n  - name: 专题\n  - name: 专题', /The name 专题 is used twice/],
    ['collections:\n  - id: 7\n    name: 甲专题\n  - id: 7\n    name: 乙专题', /The id 7 is used twice/],
    ['collections:\n  - id: 999999\n    name: 专题', /collections\[0\]\.id 999999 is no collection/],
    ['collections:\n  - name: 专题\n    documents: [999999]', /collections\[0\]\.documents: 999999 is no document/],
    ['collections:\n  - name: 专题\n    documents: [1, 1]', /documents has 1 twice/],
    ['collections:\n  - name: 专题\n    documents: [x]', /documents\[0\] is wrong/],
    ['collections:\n  - name: 专题\n    documents: [1e300]', /documents\[0\] is wrong/],
  ])('refuses %j and changes nothing', async (text, words) => {
    const before = await listed();
    expect(before).toHaveLength(2);
    const ended = await ceku('set', await fileOf(text), '--yes');
    expect(ended).toMatchObject({ code: 65, out: '' });
    expect(ended.err).toMatch(words);
    expect(await listed()).toEqual(before);
  });

  it('says first that a file hides all collections', async () => {
    expect((await ceku('set', await fileOf('collections: []'))).out).toMatch(/^! hides all collections \(2\)\n- /);
    expect(await listed()).toHaveLength(2);
  });

  it('names a file that cannot be read', async () => {
    expect(await ceku('set', '/no/such/file')).toMatchObject({ code: 65, out: '' });
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { HOT_WORDS } from '../../../../tests/hot-words.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { typeCommand } from '../../../../tests/type-command.ts';
import { listenTo } from '../../../platform/db/listen.ts';
import { expectOk } from '../../../protocol/call.ts';
import { listHotWords } from '../../contract.ts';
import { hotWordCommands } from './hot-word-commands.ts';
import { setHotWords } from './hot-words.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const ceku = (...words: string[]) =>
  typeCommand((program) => hotWordCommands(program, (work) => work(app.ctx)), ['hotword', ...words]);
const shown = async () => expectOk(await app.call(listHotWords, {})).words;
async function fileOf(text: string): Promise<string> {
  const file = join(app.folder, 'hot-words.yaml');
  await writeFile(file, text);
  return file;
}

it('begins with the words of the specification (C-24), and changes them with --yes alone', async () => {
  onTestFinished(async () => void (await setHotWords(app.ctx, HOT_WORDS)));
  expect(await shown()).toEqual(HOT_WORDS);
  const file = await fileOf('words: [餐饮, 房地产, "618", <b>x</b>]\n');
  const difference =
    '- 电商\n- 服装\n- 小红书\n+ 618 as number 3\n+ <b>x</b> as number 4\n~ another order: 餐饮 房地产 618 <b>x</b>\n';
  expect((await ceku('set', file)).out).toBe(`${difference}Nothing changed yet. Add --yes to change it.\n`);
  expect(await shown()).toEqual(HOT_WORDS);
  expect((await ceku('set', file, '--yes')).out).toBe(`${difference}Changed.\n`);
  expect(await shown()).toEqual(['餐饮', '房地产', '618', '<b>x</b>']);
  expect((await ceku('list')).out).toBe('餐饮\n房地产\n618\n<b>x</b>\n');
  const { out } = await ceku('export');
  expect((await ceku('set', await fileOf(out), '--yes')).out).toBe('Nothing changes.\n');
  expect((await ceku('set', await fileOf('words: []'), '--yes')).out).toMatch(
    /^! removes all hot words \(4\)\n- 餐饮\n/,
  );
  expect(await shown()).toEqual([]);
});

it.each([
  ['words: [餐饮, 餐饮]', /餐饮 is listed twice/],
  [`words: [${'字'.repeat(13)}]`, /at most 12 characters/],
  [`words: [${Array.from({ length: 11 }, (_, index) => `词${index}`).join(', ')}]`, /at most 10 words/],
  ['words: ["a\\tb"]', /visible characters/],
  ['words: [""]', /must not be empty/],
  ['words: [7]', /words\[0\] is wrong/],
  ['hot: []', /words is wrong/],
  ['{', /is no list of hot words/],
])('refuses %j and changes nothing', async (text, words) => {
  const ended = await ceku('set', await fileOf(text), '--yes');
  expect(ended).toMatchObject({ code: 65, out: '' });
  expect(ended.err).toMatch(words);
  expect(await shown()).toEqual(HOT_WORDS);
});

it('applies parallel lists one after another, and tells the pages that are kept', async () => {
  onTestFinished(async () => void (await setHotWords(app.ctx, HOT_WORDS)));
  const onNotice = vi.fn<() => void>();
  const listener = listenTo(app.databaseUrl, 'page_change', { log: app.ctx.log, onNotice });
  onTestFinished(() => listener.close());
  const lists = [1, 2, 3, 4].map((number) => [`甲${number}`, `乙${number}`]);
  await Promise.all(lists.map((list) => setHotWords(app.ctx, list)));
  expect(lists).toContainEqual(await shown());
  // The listener may connect after the first change.
  await expect
    .poll(async () => {
      await setHotWords(app.ctx, [`词${onNotice.mock.calls.length}`, String(app.ctx.clock.now())]);
      return onNotice.mock.calls.length;
    })
    .toBeGreaterThan(1);
});

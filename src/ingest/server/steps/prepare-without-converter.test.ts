import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RendererSlot } from '../render/renderer-slot.ts';
import { prepareWithoutConverter } from './prepare-without-converter.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ceku-pending-'))));
afterAll(() => rm(folder, { recursive: true }));

type Outcome = Awaited<ReturnType<RendererSlot['run']>>;

/** Prepares a deck with a thumbnail, whose child ends so without a result. Returns the files in the work folder. */
async function prepared(outcome: Partial<Outcome>, isLast: boolean, signal?: AbortSignal): Promise<string[]> {
  const workDir = await mkdtemp(join(folder, 'work-'));
  const facts = { width: 960, height: 540, hiddenSlides: 0, title: '年会', fonts: [], hasDateFields: false };
  const run: RendererSlot['run'] = async ({ job }) => {
    await writeFile(job.results, '');
    return { hasBegun: true, lastPage: 0, timedOut: false, tookTooMuch: false, killedBy: null, ...outcome };
  };
  const work = { workDir, isLast, run, ...(signal && { signal }) };
  const { cover } = await prepareWithoutConverter(work, { ...facts, slides: [], thumbnail: Buffer.from('a picture') });
  expect(cover).toMatchObject({ image: expect.stringContaining(workDir) });
  return readdir(workDir);
}

test.each<[what: string, outcome: Partial<Outcome>]>([
  ['cannot read it', {}],
  ['crashes', { killedBy: 'SIGSEGV' }],
  ['is too slow', { killedBy: 'SIGKILL', timedOut: true }],
  ['is too slow to begin', { killedBy: 'SIGKILL', timedOut: true, hasBegun: false }],
])('a deck with whose thumbnail the child %s has a card with its title as cover', async (_what, outcome) => {
  expect(await prepared(outcome, false)).not.toContain('thumbnail');
});

test.each<[what: string, outcome: Partial<Outcome>]>([
  ['was killed from outside', { killedBy: 'SIGKILL' }],
  ['did not begin', { hasBegun: false, killedBy: 'SIGABRT' }],
])(
  'a child that %s says nothing about the thumbnail: it is drawn another time, unless it was the last',
  async (_what, outcome) => {
    await expect(prepared(outcome, false)).rejects.toThrow(`ended by ${outcome.killedBy}`);
    expect(await prepared(outcome, true)).not.toContain('thumbnail');
  },
);

test('a stop of the site makes no cover', async () => {
  const stopped = AbortSignal.abort(new Error('the site stops'));
  for (const isLast of [false, true])
    await expect(prepared({ hasBegun: false }, isLast, stopped)).rejects.toThrow('the site stops');
});

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRendererSlot, type RendererSlot } from '../render/renderer-slot.ts';
import { readChartsInChild, readFactsInChild } from './read-deck.ts';

let folder = '';
const idle = openRendererSlot();
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ceku-read-'))));
afterAll(() => rm(folder, { recursive: true }));

type Outcome = Awaited<ReturnType<RendererSlot['run']>>;
/** A slot whose child ends with `outcome` after it has written half a line of results. */
const slotWith = (outcome: Partial<Outcome>): RendererSlot => ({
  ...idle,
  async run({ job }) {
    await writeFile(job.results, '{"value":');
    return { hasBegun: true, lastPage: 0, timedOut: false, tookTooMuch: false, killedBy: null, ...outcome };
  },
});

test.each<[what: string, outcome: Partial<Outcome>, error: object]>([
  ['exits', {}, { code: 'convert-failed' }],
  ['crashes', { killedBy: 'SIGSEGV' }, { code: 'convert-failed' }],
  ['takes too much memory', { killedBy: 'SIGKILL', tookTooMuch: true }, { code: 'convert-failed' }],
  ['is too slow', { killedBy: 'SIGKILL', timedOut: true }, { code: 'convert-timeout' }],
  ['is too slow to begin', { hasBegun: false, killedBy: 'SIGKILL', timedOut: true }, { code: 'convert-timeout' }],
  ['used all its processor time', { killedBy: 'SIGXCPU' }, { code: 'convert-failed' }],
])('a child that %s while it reads a deck blames the deck', async (_what, outcome, error) => {
  for (const read of [readFactsInChild, readChartsInChild]) {
    const reading = read({ path: join(folder, 'deck.pptx'), workDir: folder, slot: slotWith(outcome) });
    await expect(reading).rejects.toMatchObject({ name: 'RefusedError', ...error });
  }
  expect(await readdir(folder)).toEqual([]);
});

test.each<[what: string, outcome: Partial<Outcome>]>([
  ['was killed from outside', { killedBy: 'SIGKILL' }],
  ['was told to end', { killedBy: 'SIGTERM' }],
  ['did not begin', { hasBegun: false, killedBy: 'SIGABRT' }],
])('a child that %s says nothing about the deck, which is read another time', async (_what, outcome) => {
  for (const read of [readFactsInChild, readChartsInChild]) {
    const reading = read({ path: join(folder, 'deck.pptx'), workDir: folder, slot: slotWith(outcome) });
    await expect(reading).rejects.toMatchObject({
      name: 'Error',
      message: `the child that reads the slides ended by ${outcome.killedBy}`,
    });
  }
});

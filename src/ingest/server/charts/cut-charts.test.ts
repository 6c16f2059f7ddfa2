import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRendererSlot, type RendererSlot } from '../render/renderer-slot.ts';
import { cutCharts } from './cut-charts.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ceku-cut-'))));
afterAll(() => rm(folder, { recursive: true }));

type Outcome = Awaited<ReturnType<RendererSlot['run']>>;

/** Cuts two charts with a child that ends so while it writes the second. Returns the indices of those that were cut. */
async function cutBy(outcome: Partial<Outcome>, isLast: boolean): Promise<number[]> {
  const slot: RendererSlot = {
    ...openRendererSlot(),
    async run({ job }) {
      await writeFile(job.results, '{"index":0}\n{"index":1');
      return { hasBegun: true, lastPage: 2, timedOut: false, tookTooMuch: false, killedBy: null, ...outcome };
    },
  };
  const frame = { x: 0, y: 0, width: 1, height: 1 };
  const frames = [0, 1].map((index) => ({ index, page: index + 1, frame }));
  return [...(await cutCharts({ pdf: 'deck.pdf', outDir: folder, pages: 2, frames, isLast, slot })).keys()];
}

test.each<[what: string, outcome: Partial<Outcome>]>([
  ['exits', {}],
  ['crashes', { killedBy: 'SIGSEGV' }],
  ['takes too much memory', { killedBy: 'SIGKILL', tookTooMuch: true }],
  ['is too slow', { killedBy: 'SIGKILL', timedOut: true }],
])('of a deck with which the child %s the charts stay that were cut', async (_what, outcome) => {
  expect(await cutBy(outcome, false)).toEqual([0]);
});

test.each<[what: string, outcome: Partial<Outcome>]>([
  ['was killed from outside', { killedBy: 'SIGKILL' }],
  ['did not begin', { hasBegun: false }],
])('when the child %s they are cut another time, unless it was the last', async (_what, outcome) => {
  await expect(cutBy(outcome, false)).rejects.toThrow('the child that cuts the charts ended by');
  expect(await cutBy(outcome, true)).toEqual([0]);
});

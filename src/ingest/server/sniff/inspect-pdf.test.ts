import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openRendererSlot, type RendererSlot } from '../render/renderer-slot.ts';
import { inspectPdf, InspectionFailed } from './inspect-pdf.ts';

let folder: string;
let pdf: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-test-'));
  pdf = join(folder, 'deck.pdf');
  await writeFile(pdf, smallPdf('Plan'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A slot whose child gets a signal when a job begins. */
function slotEndedBy(signal: NodeJS.Signals): RendererSlot {
  const slot = openRendererSlot();
  return {
    ...slot,
    run: (request) =>
      slot.run({
        ...request,
        until: (pageCount) => {
          for (const pid of listChildren()) process.kill(pid, signal);
          return request.until(pageCount);
        },
      }),
  };
}

/** The render children of this process. */
function listChildren(): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((line) => line.includes('render-child'))
    .map((line) => Number.parseInt(line, 10));
}

it.each<[NodeJS.Signals, object]>([
  ['SIGSEGV', { name: 'RefusedError', code: 'render-failed' }],
  ['SIGABRT', { name: 'RefusedError', code: 'render-failed' }],
  ['SIGKILL', expect.any(InspectionFailed)],
])('tells a file that makes the child crash from a child that the machine ended: %s', async (signal, error) => {
  const slot = slotEndedBy(signal);
  try {
    await expect(inspectPdf(pdf, { slot })).rejects.toEqual(
      error instanceof Object && 'code' in error ? expect.objectContaining(error) : error,
    );
  } finally {
    slot.close();
  }
});

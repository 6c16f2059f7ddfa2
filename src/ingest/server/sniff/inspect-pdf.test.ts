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
/** Takes a while to open: a reader has to look for the objects of a file without a table of them. */
let slow: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-test-'));
  pdf = join(folder, 'deck.pdf');
  await writeFile(pdf, smallPdf('Plan'));
  slow = join(folder, 'slow.pdf');
  await writeFile(slow, `%PDF-1.4\n${'1 0 obj\n<< >>\nendobj\n'.repeat(1_000_000)}`);
});
afterAll(() => rm(folder, { recursive: true }));

/** A slot whose child gets a signal before it is told of a job, or as soon as it works on the job. */
function slotEndedBy(signal: NodeJS.Signals, when: 'before' | 'at work'): RendererSlot {
  const slot = openRendererSlot();
  return {
    ...slot,
    run(request) {
      let children: number[] | null = null;
      return slot.run({
        ...request,
        until: (pageCount) => {
          const isTold = children !== null;
          children ??= listChildren();
          if (when === 'before' || isTold) for (const pid of children) process.kill(pid, signal);
          return request.until(pageCount);
        },
      });
    },
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

it.each<['before' | 'at work', NodeJS.Signals, object]>([
  ['at work', 'SIGSEGV', { name: 'RefusedError', code: 'render-failed' }],
  ['at work', 'SIGABRT', { name: 'RefusedError', code: 'render-failed' }],
  ['at work', 'SIGKILL', { name: 'Error', message: expect.stringContaining('SIGKILL') }],
  ['before', 'SIGABRT', { name: 'Error', message: expect.stringContaining('SIGABRT') }],
])(
  'tells a file that makes the child crash from a child that the machine ended: %s, %s',
  async (when, signal, error) => {
    const slot = slotEndedBy(signal, when);
    try {
      await expect(inspectPdf(slow, { slot })).rejects.toMatchObject(error);
    } finally {
      slot.close();
    }
  },
);

it.each([
  ['before it begins', 0, { name: 'Error' }],
  ['at work', 1, { name: 'RefusedError', code: 'render-timeout' }],
])('blames the file for the end of its time only when the child has begun: %s', async (_, steps, error) => {
  const slot = openRendererSlot();
  let step = 0;
  const run: RendererSlot['run'] = (request) =>
    slot.run({ ...request, until: (pageCount) => (step++ < steps ? request.until(pageCount) : Date.now()) });
  try {
    await expect(inspectPdf(slow, { slot: { ...slot, run } })).rejects.toMatchObject(error);
  } finally {
    slot.close();
  }
});

it('does not blame the file when the child exits before it begins, as where it cannot be started', async () => {
  const node = process.execPath;
  process.execPath = '/bin/false';
  try {
    await expect(inspectPdf(pdf)).rejects.toBeInstanceOf(InspectionFailed);
  } finally {
    process.execPath = node;
  }
  expect(await inspectPdf(pdf)).toEqual({ pageCount: 1, isEncrypted: false });
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ingestLimits as limits } from '../rules.ts';
import type { RenderBeat, RenderJob, RenderLine } from './render-job.ts';
import { runChild } from './run-child.ts';

const CHILD = fileURLToPath(new URL('./render-child.ts', import.meta.url));

/**
 * Runs one child until it ends, hangs on a page or the document has had its time: `until` answers when that is (epoch milliseconds)
 * for its number of pages, 0 while they are not counted.
 */
export async function runRenderChild(
  job: RenderJob,
  folder: string,
  until: (pageCount: number) => number,
  signal: AbortSignal | undefined,
  onPage: (beat: RenderBeat) => void,
): Promise<{ lastPage: number; timedOut: boolean }> {
  const jobFile = join(folder, 'job.json');
  await writeFile(jobFile, JSON.stringify(job));
  await writeFile(job.results, '');
  let lastPage = 0;
  let timedOut = false;
  let kill = () => {};
  let timer: NodeJS.Timeout | undefined;
  const watch = ({ page, pageCount }: RenderBeat) => {
    clearTimeout(timer);
    // Opening reads the whole file and starts the renderer.
    const stepMs = page === 0 ? limits.renderPageMs * 2 : limits.renderPageMs;
    const leftMs = until(pageCount) - Date.now();
    timer = setTimeout(
      () => {
        timedOut = true;
        kill();
      },
      Math.max(0, Math.min(stepMs, leftMs)),
    );
  };
  const end = await runChild({
    command: process.execPath,
    args: ['--max-old-space-size=1024', CHILD, jobFile],
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder, TMPDIR: folder, NODE_NO_WARNINGS: '1' },
    limits: {
      // A last resort: the heartbeats are watched more closely.
      wallMs: Math.max(1_000, until(limits.pdfPages) - Date.now()),
      cpuSeconds: Math.ceil((limits.renderWallMs + limits.pdfPages * limits.renderWallMsPerPage) / 1000),
      fileBytes: limits.convertFileBytes,
    },
    signal,
    onStart: (stop) => {
      kill = stop;
      watch({ page: 0, pageCount: 0 });
    },
    onMessage: (message) => {
      // Our own child sends nothing else.
      const beat = message as RenderBeat;
      lastPage = beat.page;
      watch(beat);
      onPage(beat);
    },
  });
  clearTimeout(timer);
  return { lastPage, timedOut: timedOut || end.ended === 'timeout' };
}

/** The whole lines of a results file; a last line cut by a kill is left out. */
export async function readResults(results: string): Promise<RenderLine[]> {
  const lines = (await readFile(results, 'utf8')).split('\n').slice(0, -1);
  // Written by `render-child.ts`, one object a line.
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as RenderLine);
}

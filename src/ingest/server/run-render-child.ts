import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ingestLimits as limits } from '../rules.ts';
import type { RenderBeat, RenderJob, RenderLine } from './render-job.ts';
import { runChild } from './run-child.ts';

const CHILD = fileURLToPath(new URL('./render-child.ts', import.meta.url));

/** Runs one child until it ends, hangs on a page or the whole document has had its time. */
export async function runRenderChild(
  job: RenderJob,
  folder: string,
  until: number,
  signal: AbortSignal | undefined,
  onPage: (page: number) => void,
): Promise<{ lastPage: number; timedOut: boolean }> {
  const jobFile = join(folder, 'job.json');
  await writeFile(jobFile, JSON.stringify(job));
  await writeFile(job.results, '');
  let lastPage = 0;
  let timedOut = false;
  let kill = () => {};
  let timer: NodeJS.Timeout | undefined;
  const watch = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, ms);
  };
  const end = await runChild({
    command: process.execPath,
    args: ['--max-old-space-size=1024', CHILD, jobFile],
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder, TMPDIR: folder, NODE_NO_WARNINGS: '1' },
    limits: {
      wallMs: Math.max(1_000, until - Date.now()),
      cpuSeconds: Math.ceil(limits.renderWallMs / 500),
      fileBytes: limits.convertFileBytes,
    },
    signal,
    onStart: (stop) => {
      kill = stop;
      // Opening reads the whole file and starts the renderer.
      watch(limits.renderPageMs * 2);
    },
    onMessage: (message) => {
      // Our own child sends nothing else.
      const { page } = message as RenderBeat;
      lastPage = page;
      watch(page === 0 ? limits.renderPageMs * 2 : limits.renderPageMs);
      onPage(page);
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sampleMemory } from './sample-memory.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type OurRun = { seconds: number; published: number; pages: number; peakBytes: number; errors: string[] };

/** Starts the embedded database of a data folder once, so that creating it is in no measurement. */
export async function makeLibrary(dataDir: string): Promise<void> {
  const child = spawn(process.execPath, ['bin/ceku', 'stats'], { cwd: root, env: envOf(dataDir), stdio: 'ignore' });
  await once(child, 'exit');
}

/**
 * `ceku ingest` over a folder, as an operator runs it: looking, storing, converting, drawing, cover, text, charts,
 * publishing, all of it in the database; the start of the command and of its database included.
 */
export async function goOurWay(files: readonly string[], dataDir: string, workers: number): Promise<OurRun> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['bin/ceku', 'ingest', ...files, '--json', '--concurrency', String(workers)], {
    cwd: root,
    env: envOf(dataDir),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const memory = sampleMemory(child.pid ?? 0);
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  await once(child, 'close');
  const seconds = (performance.now() - startedAt) / 1000;
  const items = stdout
    .split('\n')
    .filter(Boolean)
    // Safe: the command's own --json lines.
    .map((line) => JSON.parse(line) as { path: string; state: string; message: string; pages?: number });
  const published = items.filter((item) => item.state === 'published');
  return {
    seconds,
    published: published.length,
    pages: published.reduce((sum, item) => sum + Math.min(10, item.pages ?? 0), 0),
    peakBytes: memory.stop(),
    errors: items
      .filter((item) => item.state !== 'published')
      .map((item) => `${item.path}: ${item.state} ${item.message}`),
  };
}

function envOf(dataDir: string): NodeJS.ProcessEnv {
  return { ...process.env, DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'warn', NODE_ENV: 'production' };
}

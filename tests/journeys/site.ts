import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markLocalStore } from '../../src/platform/files/local-store.ts';
import { makePassableFolder } from '../passable-folder.ts';
import { copyDemoData } from './demo-data.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const START_MS = 120_000;
/** The words by which `npm start` runs the site: it ends with the process that started it, however that one ends. */
const SITE = ['--import', './scripts/follow-parent.mjs', '--import', './scripts/resolve-quickly.mjs', 'src/main.ts'];
const CEKU = 'bin/ceku';

export type Site = {
  origin: string;
  dataDir: string;
  /** The password of the demo logins, as the start prints it. */
  demoPassword(): Promise<string>;
  /** Runs `ceku …` on this site's data, as an operator would beside it. Resolves to exit code and output. */
  ceku(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Tries to start another site on the same data, on another port; resolves when that one has ended. */
  startSecond(): Promise<{ code: number; stdout: string; stderr: string }>;
  /** kill -9, as a power cut would. */
  kill(): Promise<void>;
  /** Starts the site again on the same data and port. `unread`: what it prints is read by nobody, as behind `npm start | head`. */
  restart(output?: 'unread'): Promise<void>;
  /** Stops it as an operator would (SIGTERM) and resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
};

/** A whole site in a process of its own: embedded database, empty data folder, the built pages, a free port. */
export async function openSite(env: Record<string, string> = {}): Promise<Site> {
  const dataDir = makePassableFolder('ceku-site-');
  // The documents of a test's database have no files here, which is no disk that is not mounted.
  if (env['DATABASE_URL']) await markLocalStore(join(dataDir, 'files'), () => Promise.resolve(false));
  return openSiteOn(dataDir, env);
}

/**
 * The same, over a copy of its own of the demo library as it is loaded into an empty site, which takes a fraction of the
 * loading. What a site would do with the library a minute after its start (docs/decisions/017) is postponed.
 */
export async function openDemoSite(env: Record<string, string> = {}): Promise<Site> {
  const dataDir = makePassableFolder('ceku-site-');
  await copyDemoData(dataDir, (folder, more) => openSiteOn(folder, { OUTSIDE: 'off', ...more }));
  return openSiteOn(dataDir, env);
}

async function openSiteOn(dataDir: string, env: Record<string, string>): Promise<Site> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const environment = {
    ...process.env,
    LOG_LEVEL: 'warn',
    ...env,
    PORT: String(port),
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
  };
  let child: ChildProcess | null = null;
  let output = '';

  const start = async (printed: 'read' | 'unread' = 'read') => {
    const site = spawn(process.execPath, SITE, {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = site;
    output = '';
    for (const pipe of [site.stdout, site.stderr])
      if (printed === 'unread') pipe?.destroy();
      else pipe?.on('data', (chunk) => (output += chunk));
    const deadline = Date.now() + START_MS;
    while (Date.now() < deadline) {
      if (site.exitCode !== null) throw new Error(`the site ended with ${site.exitCode}:\n${output}`);
      const isReady = await fetch(`${origin}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the site did not start:\n${output}`);
  };
  const end = async (signal: NodeJS.Signals) => {
    const site = child;
    child = null;
    if (!site || site.exitCode !== null) return site?.exitCode ?? null;
    const ended = once(site, 'exit');
    site.kill(signal);
    await ended;
    return site.exitCode;
  };

  await start();
  return {
    origin,
    dataDir,
    async demoPassword() {
      // The site is ready a little before it prints.
      for (const deadline = Date.now() + START_MS; Date.now() < deadline; await wait(50)) {
        const [, password] = /demo login\s+demo\s+\/ (\S+)/.exec(output) ?? [];
        if (password) return password;
      }
      throw new Error(`the site printed no demo login:\n${output}`);
    },
    ceku: (...words) => run(process.execPath, [CEKU, ...words], environment),
    startSecond: () => run(process.execPath, ['src/main.ts'], { ...environment, PORT: '0' }),
    kill: async () => void (await end('SIGKILL')),
    restart: start,
    stop: () => end('SIGTERM'),
    async close() {
      // A site that was killed and not restarted leaves its database running: a tool that comes and goes stops it.
      if ((await end('SIGTERM')) !== 0) await run(process.execPath, [CEKU, 'stats'], environment);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function run(command: string, words: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code] = await once(child, 'close');
  return { code: Number(code), stdout, stderr };
}

/**
 * A free port below those that systems hand out by themselves (32768 and up on Linux, 49152 on macOS), so that nothing
 * that starts beside us is given it before the site listens.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

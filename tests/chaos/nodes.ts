import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../src/platform/db/client.ts';
import { post } from '../money/http-nodes.ts';
import type { openScratchDatabase } from '../scratch-database.ts';
import type { TestApp } from '../test-app.ts';

const NODES = 3;
const START_MS = 90_000;
const MAX_FAILURES = 20;
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A node's port stays the same when it is killed and started again. */
export type Node = { port: number; origin: string; child: ChildProcess | null; starting: Promise<void> };

/**
 * Starts three nodes, each in a process of its own, over one PostgreSQL. The caller kills nodes and crashes the database. `program`
 * is the file that runs one node (as money-node.ts); `operator` is an app in the caller's process over the same database; `env` is
 * added to a node's environment.
 */
export async function openChaosNodes(options: {
  program: string;
  scratch: Awaited<ReturnType<typeof openScratchDatabase>>;
  operator: TestApp;
  env?: Record<string, string>;
}) {
  const { program, scratch, operator, env: more = {} } = options;
  const nodes: Node[] = [];
  const counts = { kills: 0, crashes: 0 };
  /** Lines of the nodes' logs that say why a node answered 500. */
  const failures: string[] = [];
  for (let index = 0; index < NODES; index += 1) {
    const port = await freePort();
    nodes.push({ port, origin: `http://127.0.0.1:${port}`, child: null, starting: Promise.resolve() });
  }

  async function start(node: Node): Promise<void> {
    const words = ['--import', './scripts/resolve-quickly.mjs', program];
    const env = {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(node.port),
      DATA_DIR: operator.dataDir,
      DATABASE_URL: scratch.database.url,
      SECRET_KEY: 'the nodes of this test share one secret key',
      DEMO: 'off',
      OUTSIDE: 'off',
      RATE_LIMITS: 'off',
      SEARCH_THREADS: '0',
      WORKERS: '0',
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
      ...more,
    };
    const deadline = Date.now() + START_MS;
    for (;;) {
      const child = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
      node.child = child;
      let output = '';
      createInterface({ input: child.stderr }).on('line', (line) => {
        output += `${line}\n`;
        if (line.includes('unexpected failure') && failures.length < MAX_FAILURES) failures.push(line);
      });
      while (child.exitCode === null && Date.now() < deadline) {
        if (await isAnswering(node)) return;
        await wait(50);
      }
      // A node that starts while PostgreSQL recovers prints that and exits; its operator starts it again, as this loop does.
      if (Date.now() > deadline) throw new Error(`a node did not start:\n${output}`);
    }
  }

  async function kill(node: Node): Promise<void> {
    const { child } = node;
    node.child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** When the server last began to accept connections: after a crash of a backend the postmaster itself is the same. */
  async function serverStarts(): Promise<string[]> {
    const rows = await rowsOf<{ at: string }>(
      operator.ctx.db,
      sql`select min(backend_start)::text as at from pg_stat_activity where backend_type = 'checkpointer'`,
    );
    return rows.map(({ at }) => at);
  }

  await Promise.all(nodes.map(start));
  return {
    nodes,
    counts,
    failures,
    /** Kills the next node and starts it again, in the background. */
    async killAndStart(): Promise<void> {
      const node = nodes[counts.kills % NODES];
      if (!node) return;
      // A node is killed only after it has served again; the other two may be down meanwhile.
      await node.starting;
      await kill(node);
      counts.kills += 1;
      node.starting = start(node);
      node.starting.catch(() => undefined);
    },
    /**
     * Ends PostgreSQL without a checkpoint (an immediate shutdown), or kills one of its processes, after which it ends
     * all others by itself. Both recover from the log.
     */
    async crashDatabase(): Promise<void> {
      const isShutdown = counts.crashes % 2 === 0;
      const pidFile = join(scratch.folder, 'postgres', 'postmaster.pid');
      const postmaster = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
      const backends = await rowsOf<{ pid: number }>(
        operator.ctx.db,
        sql`select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name = 'ceku-site' limit 1`,
      );
      const [startedBefore] = await serverStarts();
      if (isShutdown) process.kill(postmaster, 'SIGQUIT');
      else process.kill(backends[0]?.pid ?? postmaster, 'SIGKILL');
      counts.crashes += 1;
      const deadline = Date.now() + START_MS;
      while (Date.now() < deadline) {
        const [startedNow] = await serverStarts().catch(() => [undefined]);
        if (startedNow !== undefined && startedNow !== startedBefore) return;
        await wait(50);
      }
      throw new Error('PostgreSQL did not come back');
    },
    whenStarted: async () => void (await Promise.all(nodes.map(({ starting }) => starting))),
    killAll: async () => void (await Promise.all(nodes.map(kill))),
  };
}

export type ChaosNodes = Awaited<ReturnType<typeof openChaosNodes>>;

function isAnswering(node: Node): Promise<boolean> {
  return post(node.origin, '/api/user/mine', '', {}).then(
    ({ code }) => code === 10_000,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The same choices for the same seed; the order of the answers is the machine's. */
export function randomOf(seed: number) {
  let state = seed >>> 0;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

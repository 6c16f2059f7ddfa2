import { Worker } from 'node:worker_threads';
import { fork, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/** Flags of Node for a thread or a child that finds modules as the site does: one that loads drizzle-orm starts in a third of the processor time. */
const PRELOADED = [`--import=${new URL('../../scripts/resolve-quickly.mjs', import.meta.url).href}`];

/**
 * Starts a worker thread that does not keep the process alive. `onMessage` gets what the thread posts, and nothing that
 * Node posts on the same channel. Files that the thread leaves open stay open for the process.
 */
export function startThread<Message>(program: URL, workerData: unknown, onMessage: (message: Message) => void): Worker {
  // Drops this process's other flags: under `node --watch` the thread would watch files as well.
  const worker = new Worker(program, { workerData, execArgv: PRELOADED, trackUnmanagedFds: false });
  worker.unref();
  worker.on('message', (message: Message) => {
    if (!isWatchReport(message)) onMessage(message);
  });
  return worker;
}

/** Under `node --watch` (npm run dev) threads and child processes also report the files they load, on the channel of their messages. */
const isWatchReport = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && Object.keys(message).some((key) => key.startsWith('watch:'));

/** Generous, because on a busy machine a process needs many seconds to load its modules. */
const START_MS = 120_000;

type ChildProgram = {
  /** The first message of the program (`process.send`). */
  firstMessage: unknown;
  /** Ends the program with SIGTERM and waits until it has ended. */
  close(): Promise<void>;
};

/**
 * Starts a program of this project in a process that ends with this one, killed or not, and waits for its first message.
 * Throws when the program ends before that, or says nothing for two minutes.
 */
export async function startChildProgram(name: string, file: string, args: string[]): Promise<ChildProgram> {
  // No other flags of this process: a watching parent would make a watching child. No environment but the folder of compiled modules, where
  // there is one: the child knows neither the site's secret nor its database.
  const compiled = getCompileCacheDir();
  const env = compiled ? { NODE_COMPILE_CACHE: dirname(compiled) } : {};
  const child = fork(file, args, { execArgv: PRELOADED, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const firstMessage = await receiveFirst(child, name);
  // The child never holds up the end of the site.
  child.unref();
  child.channel?.unref();
  return {
    firstMessage,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function receiveFirst(child: ChildProcess, name: string): Promise<unknown> {
  const late = AbortSignal.timeout(START_MS);
  try {
    return await Promise.race([
      firstOwnMessage(child, late),
      once(child, 'exit', { signal: late }).then(() => {
        throw new Error(`${name} ended while it was starting`);
      }),
    ]);
  } catch (error) {
    child.kill('SIGKILL');
    throw late.aborted ? new Error(`${name} did not start within ${START_MS / 1_000} s`) : error;
  }
}

async function firstOwnMessage(child: ChildProcess, signal: AbortSignal): Promise<unknown> {
  for await (const [message] of on(child, 'message', { signal })) {
    if (!isWatchReport(message)) return message;
  }
  return null;
}

/**
 * Prefix of the names of temporary folders that hold a copy of somebody's data. The process id follows, so that a later start
 * recognises and removes the folders of processes that have ended.
 */
export const COPY_FOLDER = 'ceku-export-';

/** True when a process with this number exists, even one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

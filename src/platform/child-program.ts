import { fork, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { isWatchReport } from './worker-thread.ts';

const START_MS = 30_000;

export type ChildProgram = {
  /** What the program sent first (`process.send`). */
  firstMessage: unknown;
  /** Ends the program with SIGTERM and waits until it has ended. */
  close(): Promise<void>;
};

/**
 * Starts a program of this project in a process that ends with this one, killed or not, and waits for its first message.
 * Throws when the program ends before that, or says nothing for 30 seconds.
 */
export async function startChildProgram(name: string, file: string, args: string[]): Promise<ChildProgram> {
  // No flags of this process: a watching parent would make a watching child. No environment: the child knows neither the
  // site's secret nor its database.
  const child = fork(file, args, { execArgv: [], env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
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
    throw error;
  }
}

async function firstOwnMessage(child: ChildProcess, signal: AbortSignal): Promise<unknown> {
  for await (const [message] of on(child, 'message', { signal })) {
    if (!isWatchReport(message)) return message;
  }
  return null;
}

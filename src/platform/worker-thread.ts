import { Worker } from 'node:worker_threads';

/**
 * Starts a worker thread that does not keep the process alive. `onMessage` gets what the thread posts, and nothing that
 * Node posts on the same channel.
 */
export function startThread<Message>(program: URL, workerData: unknown, onMessage: (message: Message) => void): Worker {
  // No flags of this process: a watching parent would make a watching thread.
  const worker = new Worker(program, { workerData, execArgv: [] });
  worker.unref();
  worker.on('message', (message: Message) => {
    if (!isWatchReport(message)) onMessage(message);
  });
  return worker;
}

/** Under `node --watch` (npm run dev) threads and child processes also report the files they load, on the channel of their messages. */
export const isWatchReport = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && Object.keys(message).some((key) => key.startsWith('watch:'));

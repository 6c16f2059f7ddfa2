import { Worker } from 'node:worker_threads';
import type { BuildOrder, Built } from './build-thread.ts';

/** Has a main segment made in a thread of its own. Throws what the thread failed with. */
export function buildInThread(order: BuildOrder, signal: AbortSignal): Promise<Built> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./build-thread.ts', import.meta.url), { workerData: order, execArgv: [] });
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop);
    // Under `node --watch` a thread also reports what it loads, on the same channel and before anything of ours.
    worker.on('message', (message: Partial<Built>) => {
      const { buffer, horizon, saveFailure = null } = message;
      if (buffer && horizon !== undefined) resolve({ buffer, horizon, saveFailure });
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      reject(new Error(`the build thread ended with ${code}`));
    });
    // A process that has nothing else to do need not wait for it.
    worker.unref();
  });
}

import { startThread } from '../../platform/worker-thread.ts';
import type { BuildOrder, Built } from './build-thread.ts';

const PROGRAM = new URL('./build-thread.ts', import.meta.url);

/** Builds a main segment in a worker thread. Throws what the thread failed with. */
export function buildInThread(order: BuildOrder, signal: AbortSignal): Promise<Built> {
  return new Promise((resolve, reject) => {
    const worker = startThread<Built>(PROGRAM, order, resolve);
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop);
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      reject(new Error(`the build thread ended with ${code}`));
    });
  });
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Ask, Said } from './engine-process.ts';

/** Runs an engine in a separate process. `call` throws the error of that process; `end` may be called twice. */
export type Called = { call(ask: Ask): Promise<Said>; end(): Promise<void> };

type Waiting = { answer(said: Said): void; fail(error: Error): void };

export function startEngine(name: string): Called {
  const child = fork(new URL('./engine-process.ts', import.meta.url), [name], {
    execArgv: ['--expose-gc', '--max-old-space-size=8192'],
    serialization: 'advanced',
  });
  let waiting: Waiting | null = null;
  let isEnded = false;
  // Safe: the process sends no other messages.
  child.on('message', (said) => waiting?.answer(said as Said));
  child.once('exit', (code, signal) => {
    isEnded = true;
    waiting?.fail(new Error(`its process ended: ${String(code ?? signal)}`));
  });
  return {
    async call(ask) {
      if (isEnded) throw new Error('its process has ended');
      const said = await new Promise<Said>((answer, fail) => {
        waiting = { answer, fail };
        child.send(ask);
      });
      if (said.failure !== undefined) throw new Error(said.failure);
      return said;
    },
    async end() {
      if (isEnded) return;
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

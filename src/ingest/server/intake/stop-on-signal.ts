import { EXIT, type ExitCode } from '../../../platform/command-line.ts';

/** With npx, Ctrl-C arrives twice: from the terminal and from npx. The second signal within this time is ignored. */
const ECHO_MS = 1_000;

export type SignalStop = {
  /** Aborted by the first Ctrl-C or SIGTERM. */
  signal: AbortSignal;
  /** Returns the exit code that a shell expects after the signal. */
  exitCode(): ExitCode;
  /** Removes the listeners. */
  end(): void;
};

/** Makes the first Ctrl-C or SIGTERM abort `signal`; the next one ends the process. */
export function stopOnSignal(): SignalStop {
  const stop = new AbortController();
  let first: NodeJS.Signals = 'SIGINT';
  let at = 0;
  const listen = (signal: NodeJS.Signals) => {
    if (!stop.signal.aborted) {
      first = signal;
      at = Date.now();
      process.stderr.write('\nStopping in order; Ctrl-C again stops at once.\n');
      return stop.abort();
    }
    if (Date.now() - at < ECHO_MS) return;
    end();
    process.kill(process.pid, signal);
  };
  const end = () => void process.off('SIGINT', listen).off('SIGTERM', listen);
  process.on('SIGINT', listen).on('SIGTERM', listen);
  return { signal: stop.signal, exitCode: () => (first === 'SIGINT' ? EXIT.interrupted : EXIT.terminated), end };
}

import { EXIT, type ExitCode } from '../../../platform/command-line.ts';

/** A terminal's Ctrl-C comes twice when npx is between, from the terminal and from it: the echo is dropped. */
const ECHO_MS = 1_000;

export type SignalStop = {
  /** Aborted by the first Ctrl-C or SIGTERM. */
  signal: AbortSignal;
  /** What a shell expects of a command that ended because of it. */
  exitCode(): ExitCode;
  /** Listens no more. */
  end(): void;
};

/** Ctrl-C and SIGTERM end a piece of work in order; the next one is left to whoever ends the process at once. */
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

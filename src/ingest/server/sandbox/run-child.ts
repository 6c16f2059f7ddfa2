import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { preferForOomKill, setSessionNiceness, watchUsage, type UsageLimits } from './watch-usage.ts';

/**
 * `memoryBytes` and `fileBytes` are limits per process; UsageLimits apply to the child and its descendants together.
 */
type ChildLimits = UsageLimits & {
  /** Time limit in milliseconds. With `busyWallMs` the time in which the child waits for a processor is not counted. */
  wallMs: number;
  /** Time limit in milliseconds however busy the machine is; `wallMs` unless given. Beyond `wallMs` on Linux alone, where such waits are known. */
  busyWallMs?: number;
  cpuSeconds: number;
  memoryBytes?: number;
  fileBytes?: number;
};

type ChildInput = {
  command: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment of the child; nothing is inherited. */
  env: Record<string, string>;
  limits: ChildLimits;
  /** How much processor time the child leaves to others: 0 nothing, 19 nearly all. Default 3. */
  niceness?: number;
  /** Receives the messages that a Node child sends over its channel. */
  onMessage?: (message: unknown) => void;
  /** Receives the controls of the child once it has started. */
  onStart?: (child: ChildControls) => void;
  signal?: AbortSignal;
};

/**
 * `kill` ends the child; `send` sends a message to a Node child over its channel. After `idle` the child does not keep
 * this process alive; after `work` it does.
 */
export type ChildControls = { pid: number; kill(): void; send(message: object): void; idle(): void; work(): void };

/**
 * How a child ended. `signal` is what ended the process, null for an exit. `stopped`: by a signal that asks to end and
 * that this process did not send, as a supervisor sends it to all processes of the site. `output` is the end of what the
 * child printed.
 */
export type ChildEnd = {
  code: number | null;
  signal: NodeJS.Signals | null;
  ended: 'exit' | 'stopped' | 'killed' | 'timeout' | 'overuse' | 'aborted';
  output: string;
};

/** A shell that waits for a child ended by one of them ends with 128 and its number. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Whether a child was ended from outside, as by a supervisor or for want of memory of the machine, which says nothing about what it worked on. A
 * shell that waits for a child ended by SIGKILL ends with 128 and its number.
 */
export const isEndedFromOutside = ({ ended, signal, code }: ChildEnd): boolean =>
  ended === 'stopped' || (ended === 'exit' && (signal === 'SIGKILL' || code === 128 + constants.signals.SIGKILL));

const OUTPUT_CHARS = 65_536;
/**
 * How long to wait for output after the child has exited: a descendant outside its process group may keep the pipes
 * open.
 */
const LAST_WORDS_MS = 1_000;

/**
 * Runs a program with limits, in its own process group, and kills the whole group when the program ends. Never rejects
 * because of what the child does; rejects when the program cannot be started.
 */
export function runChild(input: ChildInput): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    if (input.signal?.aborted) return resolve({ code: null, signal: null, ended: 'aborted', output: '' });
    const [command, ...args] = underLimits(input);
    const child = spawn(command, args, {
      cwd: input.cwd,
      env: input.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(input.onMessage ? (['ipc'] as const) : [])],
    });
    let ended: ChildEnd['ended'] = 'exit';
    let output = '';
    const stop = (why: ChildEnd['ended']) => {
      if (ended === 'exit') ended = why;
      killGroup(child);
    };
    const onAbort = () => stop('aborted');
    const { residentBytes, processes, wallMs, busyWallMs = wallMs } = input.limits;
    const isWatched = residentBytes !== undefined || processes !== undefined || busyWallMs > wallMs;
    let waitedMs = 0;
    const onWait = (totalMs: number) => (waitedMs = totalMs);
    const unwatch =
      isWatched && child.pid !== undefined
        ? watchUsage(child.pid, input.limits, () => stop('overuse'), busyWallMs > wallMs ? onWait : undefined)
        : () => {};
    if (child.pid !== undefined) {
      preferForOomKill(child.pid);
      setSessionNiceness(child.pid, input.niceness ?? DEFAULT_NICENESS);
    }
    const startedAt = performance.now();
    let timer = setTimeout(function end() {
      const leftMs = startedAt + Math.min(wallMs + waitedMs, busyWallMs) - performance.now();
      if (leftMs > 1) timer = setTimeout(end, leftMs);
      else stop('timeout');
    }, wallMs);
    const keep = (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARS);
    };
    const release = () => {
      clearTimeout(timer);
      unwatch();
      input.signal?.removeEventListener('abort', onAbort);
    };
    input.signal?.addEventListener('abort', onAbort, { once: true });
    // A character may lie in two chunks, so the streams decode them.
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    if (input.onMessage) child.on('message', input.onMessage);
    child.on('error', (error) => {
      release();
      reject(error);
    });
    // A process that outlives the child would keep the pipes open: the group is killed with its leader.
    child.on('exit', () => {
      killGroup(child);
      setTimeout(() => [child.stdout, child.stderr].forEach((pipe) => pipe?.destroy()), LAST_WORDS_MS).unref();
    });
    child.on('close', (code, signal) => {
      release();
      const isStopped = STOP_SIGNALS.some((name) => name === signal || code === 128 + constants.signals[name]);
      resolve({ code, signal, ended: ended === 'exit' && isStopped ? 'stopped' : ended, output });
    });
    const handles = () => [child, child.stdout, child.stderr, child.channel, timer];
    input.onStart?.({
      pid: child.pid ?? 0,
      kill: () => stop('killed'),
      // A message to a child that has ended is dropped; the promise reports the end.
      send: (message) => void child.send?.(message, () => {}),
      idle: () => handles().forEach((handle) => handle && 'unref' in handle && handle.unref()),
      work: () => handles().forEach((handle) => handle && 'ref' in handle && handle.ref()),
    });
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}

/**
 * Visitors' requests are answered before files are prepared: a child gets half of the time that the site gets. With
 * much less, files would run into their time limits because the site is busy.
 */
const DEFAULT_NICENESS = 3;

/**
 * At its processor time the kernel sends a process SIGXCPU, and SIGKILL when it goes on for so much longer. With SIGKILL at once its end would
 * look like one that came from outside.
 */
const CPU_GRACE_SECONDS = 5;

/**
 * Returns the command with `nice` and `prlimit` in front, on systems that have them (Linux); elsewhere only the time
 * limit applies. `setpriv` ends the child when this process is killed. Each program replaces itself by the next, so
 * there is one process.
 */
function underLimits({ command, args, limits, niceness = DEFAULT_NICENESS }: ChildInput): [string, ...string[]] {
  const nice = findProgram('nice');
  const behindNice: [string, ...string[]] =
    nice === null ? [command, ...args] : [nice, '-n', String(niceness), command, ...args];
  const prlimit = findProgram('prlimit');
  if (prlimit === null) return behindNice;
  const flags = [`--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + CPU_GRACE_SECONDS}`, '--core=0'];
  if (limits.memoryBytes !== undefined) flags.push(`--as=${limits.memoryBytes}`);
  if (limits.fileBytes !== undefined) flags.push(`--fsize=${limits.fileBytes}`);
  const limited: [string, ...string[]] = [prlimit, ...flags, ...behindNice];
  const setpriv = findProgram('setpriv');
  return setpriv === null ? limited : [setpriv, '--pdeathsig', 'KILL', ...limited];
}

const SYSTEM_FOLDERS = ['/usr/bin', '/usr/local/bin', '/bin', '/opt/homebrew/bin'];

/** Returns the full path of a program in the usual folders or in `searchPath`; null when it is not installed. */
export function findProgram(name: string, searchPath = ''): string | null {
  const folders = [...SYSTEM_FOLDERS, ...searchPath.split(delimiter).filter((folder) => folder !== '')];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

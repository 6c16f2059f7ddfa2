import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { volunteerForOom, watchUsage, type UsageLimits } from './watch-usage.ts';

/** `memoryBytes` and `fileBytes` hold per process; those of `UsageLimits` for the child and all it starts together. */
export type ChildLimits = UsageLimits & {
  wallMs: number;
  cpuSeconds: number;
  memoryBytes?: number;
  fileBytes?: number;
};

export type ChildInput = {
  command: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment: nothing of ours is inherited. */
  env: Record<string, string>;
  limits: ChildLimits;
  /** Messages of a Node child over its channel. */
  onMessage?: (message: unknown) => void;
  /** Called once with the means to drive the child. */
  onStart?: (child: ChildControls) => void;
  signal?: AbortSignal;
};

/**
 * `kill` ends the child for want of progress, or of restraint; `send` speaks to a Node child over its channel; an idle
 * child (`rest`) does not keep our process alive, a busy one (`work`) does.
 */
export type ChildControls = { pid: number; kill(): void; send(message: object): void; idle(): void; work(): void };

/** How a child ended. `output` is the last of what it printed. */
export type ChildEnd = {
  code: number | null;
  ended: 'exit' | 'killed' | 'timeout' | 'overuse' | 'aborted';
  output: string;
};

const OUTPUT_CHARS = 65_536;
/** A program that has hidden from its group may hold our pipes open; so long we wait for its last words. */
const LAST_WORDS_MS = 1_000;

/**
 * Runs a program in a process group of its own, under limits, and leaves nothing of the group behind.
 * Never rejects on what the child does; rejects if the program cannot be started.
 */
export function runChild(input: ChildInput): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    if (input.signal?.aborted) return resolve({ code: null, ended: 'aborted', output: '' });
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
    const { residentBytes, processes } = input.limits;
    const isWatched = residentBytes !== undefined || processes !== undefined;
    const unwatch =
      isWatched && child.pid !== undefined ? watchUsage(child.pid, input.limits, () => stop('overuse')) : () => {};
    if (child.pid !== undefined) volunteerForOom(child.pid);
    const timer = setTimeout(() => stop('timeout'), input.limits.wallMs);
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-OUTPUT_CHARS);
    };
    const release = () => {
      clearTimeout(timer);
      unwatch();
      input.signal?.removeEventListener('abort', onAbort);
    };
    input.signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    if (input.onMessage) child.on('message', input.onMessage);
    child.on('error', (error) => {
      release();
      reject(error);
    });
    // What outlives its parent would hold our pipes open for ever: it goes with the leader.
    child.on('exit', () => {
      killGroup(child);
      setTimeout(() => [child.stdout, child.stderr].forEach((pipe) => pipe?.destroy()), LAST_WORDS_MS).unref();
    });
    child.on('close', (code) => {
      release();
      resolve({ code, ended, output });
    });
    const handles = [child, child.stdout, child.stderr, child.channel, timer];
    input.onStart?.({
      pid: child.pid ?? 0,
      kill: () => stop('killed'),
      // A child that is gone hears nothing; its end is told by the promise.
      send: (message) => void child.send?.(message, () => {}),
      idle: () => handles.forEach((handle) => handle && 'unref' in handle && handle.unref()),
      work: () => handles.forEach((handle) => handle && 'ref' in handle && handle.ref()),
    });
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}

/** Visitors' pages are answered first: what is drawn can wait a moment. */
const NICENESS = 10;

/**
 * The command behind `nice` and `prlimit`, where the system has them (Linux); elsewhere only the wall clock limits it.
 * Behind `setpriv` it dies with us: nobody else would end it if we were killed. Each replaces itself by the next, so
 * the process stays one.
 */
function underLimits({ command, args, limits }: ChildInput): [string, ...string[]] {
  const nice = findProgram('nice');
  const behindNice: [string, ...string[]] =
    nice === null ? [command, ...args] : [nice, '-n', String(NICENESS), command, ...args];
  const prlimit = findProgram('prlimit');
  if (prlimit === null) return behindNice;
  const flags = [`--cpu=${limits.cpuSeconds}`, '--core=0'];
  if (limits.memoryBytes !== undefined) flags.push(`--as=${limits.memoryBytes}`);
  if (limits.fileBytes !== undefined) flags.push(`--fsize=${limits.fileBytes}`);
  const limited: [string, ...string[]] = [prlimit, ...flags, ...behindNice];
  const setpriv = findProgram('setpriv');
  return setpriv === null ? limited : [setpriv, '--pdeathsig', 'KILL', ...limited];
}

const SYSTEM_FOLDERS = ['/usr/bin', '/usr/local/bin', '/bin', '/opt/homebrew/bin'];

/** Full path of a program in the usual folders or on the path given; null if there is none. */
export function findProgram(name: string, searchPath = ''): string | null {
  const folders = [...SYSTEM_FOLDERS, ...searchPath.split(delimiter).filter((folder) => folder !== '')];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

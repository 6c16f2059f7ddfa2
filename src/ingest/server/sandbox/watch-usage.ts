import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Limits of memory and processes for a child together with its descendants. */
export type UsageLimits = { residentBytes?: number; processes?: number };

export type Usage = { residentBytes: number; processes: number };

const LONE_MS = 250;
const FAMILY_MS = 500;

/**
 * Measures a child and its descendants every quarter of a second (every half with `processes`) and calls `onOveruse`
 * once when they exceed a limit. Limits of the kernel apply per process or per user, not to a family of processes.
 * `onWait` is told at each look how many milliseconds the family has waited for a processor so far.
 * Works on Linux only; elsewhere nothing is measured. Returns a function that stops it.
 */
export function watchUsage(
  pid: number,
  limits: UsageLimits,
  onOveruse: (usage: Usage) => void,
  onWait?: (waitedMs: number) => void,
): () => void {
  if (process.platform !== 'linux') return () => {};
  const isFamily = limits.processes !== undefined;
  const waitOf = waitCounter();
  const look = () => {
    const family = isFamily ? processTreeOf(pid) : descendantsOf(pid);
    if (onWait) onWait(waitOf(family));
    const usage = usageOf(family);
    const isTooMuch =
      usage.residentBytes > (limits.residentBytes ?? Infinity) || usage.processes > (limits.processes ?? Infinity);
    if (!isTooMuch) return;
    stop();
    onOveruse(usage);
  };
  const timer = setInterval(look, isFamily ? FAMILY_MS : LONE_MS).unref();
  const stop = () => clearInterval(timer);
  return stop;
}

/**
 * Returns the text of a file in /proc; '' when its process has ended. Reads without promises: these files are in memory, and
 * a promised read of a file of unknown size takes a buffer of 64 KiB. Thousands of them a second were a third of the
 * processor time of an ingest, most of it spent on collecting garbage.
 */
function readProc(path: string): string {
  try {
    // Node reads UTF-8 without a buffer of its own. Only the name of a program may be something else, which nobody reads here.
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function listProc(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** When the machine runs out of memory, the kernel kills these children before the site and the database. */
export function preferForOomKill(pid: number): void {
  try {
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch {
    // The child has ended already, or the system does not allow the change.
  }
}

/** Without root the kernel takes one such change in 100 ms, of all processes together. */
const AUTOGROUP_RETRY_MS = 150;

/**
 * Gives the session of a child the niceness of the child. Where Linux groups processes by session
 * (`sched_autogroup_enabled`), it shares the processors evenly between sessions and heeds niceness only within one: a child
 * at niceness 3 that leads a session of its own would get as much time as the whole site.
 */
export function setSessionNiceness(pid: number, niceness: number, attempts = 8): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    // Else the child has ended already, or this kernel has no such groups.
    const isTooSoon = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
    if (isTooSoon && attempts > 1)
      setTimeout(setSessionNiceness, AUTOGROUP_RETRY_MS, pid, niceness, attempts - 1).unref();
  }
}

/**
 * Returns a function that says how long a family has waited for a processor so far, in milliseconds: of each stretch between two calls the
 * longest wait of any thread, because threads wait side by side. 0 where the kernel does not count it. The second number of schedstat is the
 * time, in nanoseconds, for which a thread could have run and did not; a wait is added when it ends, so it may be longer than the stretch.
 * https://docs.kernel.org/scheduler/sched-stats.html
 */
function waitCounter(): (family: readonly number[]) => number {
  const startedAt = performance.now();
  let before = new Map<string, number>();
  let totalMs = 0;
  return (family) => {
    const waits = new Map(family.flatMap(waitsOfThreads));
    const longest = [...waits].reduce((most, [id, waitedMs]) => Math.max(most, waitedMs - (before.get(id) ?? 0)), 0);
    before = waits;
    totalMs = Math.min(totalMs + longest, performance.now() - startedAt);
    return totalMs;
  };
}

/** Returns how long each thread of a process has waited for a processor since its start, in milliseconds. */
function waitsOfThreads(pid: number): [thread: string, waitedMs: number][] {
  return listProc(`/proc/${pid}/task`).map((task) => {
    const counts = readProc(`/proc/${pid}/task/${task}/schedstat`);
    return [task, Number(counts.split(' ')[1] ?? 0) / 1e6];
  });
}

function usageOf(family: readonly number[]): Usage {
  return { residentBytes: family.reduce((sum, pid) => sum + residentBytes(pid), 0), processes: family.length };
}

/**
 * Returns a process and its descendants in any process group or session, found by asking every process for its parent.
 */
function processTreeOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of listProc('/proc')) {
    if (!/^\d/.test(name)) continue;
    // The name of the program is in brackets and may contain anything; state and parent follow the closing bracket.
    const stat = readProc(`/proc/${name}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent > 0) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = [pid];
  for (const one of family) family.push(...(children.get(one) ?? []));
  return family;
}

/**
 * Returns the descendants from the kernel's list of children, which is cheap enough for every quarter of a second. The
 * list may miss a process that is ending. Where the kernel keeps no such list, every process is asked for its parent.
 */
function descendantsOf(pid: number): number[] {
  if (!existsSync(`/proc/${pid}/task/${pid}/children`) && existsSync(`/proc/${pid}`)) return processTreeOf(pid);
  const family = [pid];
  for (const one of family) {
    for (const task of listProc(`/proc/${one}/task`)) {
      const children = readProc(`/proc/${one}/task/${task}/children`);
      family.push(...children.split(' ').filter(Boolean).map(Number));
    }
  }
  return family;
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

import { existsSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

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
  let isLooking = false;
  let isOver = false;
  const waitOf = waitCounter();
  const look = async () => {
    const family = isFamily ? await processTreeOf(pid) : await descendantsOf(pid);
    if (onWait) onWait(await waitOf(family));
    const usage = await usageOf(family);
    const isTooMuch =
      usage.residentBytes > (limits.residentBytes ?? Infinity) || usage.processes > (limits.processes ?? Infinity);
    if (isOver || !isTooMuch) return;
    stop();
    onOveruse(usage);
  };
  const timer = setInterval(
    () => {
      if (isLooking) return;
      isLooking = true;
      void look().finally(() => void (isLooking = false));
    },
    isFamily ? FAMILY_MS : LONE_MS,
  ).unref();
  const stop = () => {
    isOver = true;
    clearInterval(timer);
  };
  return stop;
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
function waitCounter(): (family: readonly number[]) => Promise<number> {
  const startedAt = performance.now();
  let before = new Map<string, number>();
  let totalMs = 0;
  return async (family) => {
    const waits = new Map((await Promise.all(family.map(waitsOfThreads))).flat());
    const longest = [...waits].reduce((most, [id, waitedMs]) => Math.max(most, waitedMs - (before.get(id) ?? 0)), 0);
    before = waits;
    totalMs = Math.min(totalMs + longest, performance.now() - startedAt);
    return totalMs;
  };
}

/** Returns how long each thread of a process has waited for a processor since its start, in milliseconds. */
async function waitsOfThreads(pid: number): Promise<[thread: string, waitedMs: number][]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  return Promise.all(
    tasks.map(async (task): Promise<[string, number]> => {
      const counts = await readFile(`/proc/${pid}/task/${task}/schedstat`, 'latin1').catch(() => '');
      return [task, Number(counts.split(' ')[1] ?? 0) / 1e6];
    }),
  );
}

async function usageOf(family: readonly number[]): Promise<Usage> {
  const bytes = await Promise.all(family.map(residentBytes));
  return { residentBytes: bytes.reduce((sum, each) => sum + each, 0), processes: family.length };
}

/**
 * Returns a process and its descendants in any process group or session, found by asking every process for its parent.
 */
async function processTreeOf(pid: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The name of the program is in brackets and may contain anything; state and parent follow the closing bracket.
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
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
async function descendantsOf(pid: number): Promise<number[]> {
  const family = [pid];
  for (const one of family) {
    const tasks = await readdir(`/proc/${one}/task`).catch(() => []);
    for (const task of tasks) {
      const children = await readFile(`/proc/${one}/task/${task}/children`, 'latin1').catch(() => null);
      if (children === null && one === pid && existsSync(`/proc/${pid}`)) return processTreeOf(pid);
      family.push(...(children ?? '').split(' ').filter(Boolean).map(Number));
    }
  }
  return family;
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

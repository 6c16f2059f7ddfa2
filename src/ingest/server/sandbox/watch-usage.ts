import { existsSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** What a child and all it started may use together. */
export type UsageLimits = { residentBytes?: number; processes?: number };

export type Usage = { residentBytes: number; processes: number };

const LONE_MS = 250;
const FAMILY_MS = 500;

/**
 * Looks at a child and all it started every quarter of a second, or with `processes` every half, and calls `onOveruse`
 * once when they have more than they may. The kernel's own limits hold per process or per user, not per family. Only Linux
 * tells: elsewhere nothing is watched. Answers how to stop.
 */
export function watchUsage(pid: number, limits: UsageLimits, onOveruse: (usage: Usage) => void): () => void {
  if (process.platform !== 'linux') return () => {};
  const isFamily = limits.processes !== undefined;
  let isLooking = false;
  let isOver = false;
  const look = async () => {
    const usage = await usageOf(isFamily ? await familyOf(pid) : await descendantsOf(pid));
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

/** Should the machine run out of memory, strangers' files go before the site and the database. */
export function volunteerForOom(pid: number): void {
  try {
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch {
    // It is gone already, or the system does not let us.
  }
}

async function usageOf(family: readonly number[]): Promise<Usage> {
  const bytes = await Promise.all(family.map(residentBytes));
  return { residentBytes: bytes.reduce((sum, one) => sum + one, 0), processes: family.length };
}

/** A process and its descendants, whatever groups and sessions they have put themselves into: every process is asked for its parent. */
async function familyOf(pid: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The name of a program stands in brackets and may hold anything; state and parent follow it.
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent > 0) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = [pid];
  for (const one of family) family.push(...(children.get(one) ?? []));
  return family;
}

/**
 * The same, asked of the process itself, which is cheap enough for every quarter of a second. The kernel may pass over one that is
 * ending; where it keeps no such list, all processes are asked.
 */
async function descendantsOf(pid: number): Promise<number[]> {
  const family = [pid];
  for (const one of family) {
    const tasks = await readdir(`/proc/${one}/task`).catch(() => []);
    for (const task of tasks) {
      const children = await readFile(`/proc/${one}/task/${task}/children`, 'latin1').catch(() => null);
      if (children === null && one === pid && existsSync(`/proc/${pid}`)) return familyOf(pid);
      family.push(...(children ?? '').split(' ').filter(Boolean).map(Number));
    }
  }
  return family;
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

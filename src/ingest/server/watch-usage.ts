import { writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** What a child and all it started may use together. */
export type UsageLimits = { residentBytes?: number; processes?: number };

export type Usage = { residentBytes: number; processes: number };

const LONE_MS = 250;
const FAMILY_MS = 500;

/**
 * Looks at a child every quarter of a second, or with `processes` at its whole family every half, and calls `onOveruse`
 * once when it has more than it may. The kernel's own limits hold per process or per user, not per family. Only Linux
 * tells: elsewhere nothing is watched. Answers how to stop.
 */
export function watchUsage(pid: number, limits: UsageLimits, onOveruse: (usage: Usage) => void): () => void {
  if (process.platform !== 'linux') return () => {};
  const isFamily = limits.processes !== undefined;
  let isLooking = false;
  let isOver = false;
  const look = async () => {
    const usage = isFamily ? await usageOfFamily(pid) : { residentBytes: await residentBytes(pid), processes: 1 };
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

/** A process and its descendants, whatever groups and sessions they have put themselves into. */
async function usageOfFamily(pid: number): Promise<Usage> {
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
  const bytes = await Promise.all(family.map(residentBytes));
  return { residentBytes: bytes.reduce((sum, one) => sum + one, 0), processes: family.length };
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

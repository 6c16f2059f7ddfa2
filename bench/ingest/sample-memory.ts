import { readdirSync, readFileSync } from 'node:fs';

/** Adding up the pages of a process takes the kernel milliseconds. */
const EVERY_MS = 1_000;

export type MemoryPeak = { stop(): number };

/**
 * Samples the memory of a process and everything it started, the database included: the sum of proportional set sizes, whose peak `stop`
 * returns in bytes. Linux only. `hasChildren` false: of the process alone.
 */
export function sampleMemory(rootPid: number, hasChildren = true): MemoryPeak {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, hasChildren ? treeBytes(rootPid) : proportionalBytes(rootPid));
  }, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

type Found = { pid: number; parent: number; bytes: number };

function treeBytes(rootPid: number): number {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (read(Number(name)) ?? []) : []));
  const children = Map.groupBy(all, (one) => one.parent);
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + proportionalBytes(child.pid) + sum(child.pid), 0);
  return proportionalBytes(rootPid) + sum(rootPid);
}

/** Returns the proportional set size in bytes: a page that n processes share counts as an n-th. 0 when the process has ended. */
function proportionalBytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Returns the resident size of a process in bytes; 0 when it has ended. Linux only. */
export const residentBytes = (pid: number): number => read(pid)?.bytes ?? 0;

/** Returns null for a process that ended before it was read. */
function read(pid: number): Found | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
    return { pid, parent: Number(field('PPid')), bytes: Number(field('VmRSS')) * 1024 };
  } catch {
    return null;
  }
}

import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 150;

export type MemoryPeak = { stop(): number };

/**
 * Samples the memory of a process and everything it started: the sum of resident sizes, whose peak `stop` returns in
 * bytes. The database's own processes are left out: they share most of what each seems to hold. Linux only.
 * `hasChildren` false: of the process alone.
 */
export function sampleMemory(rootPid: number, hasChildren = true): MemoryPeak {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, hasChildren ? treeBytes(rootPid) : (read(rootPid)?.bytes ?? 0));
  }, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

type Found = { pid: number; parent: number; name: string; bytes: number };

function treeBytes(rootPid: number): number {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (read(Number(name)) ?? []) : []));
  const children = Map.groupBy(all, (one) => one.parent);
  const sum = (pid: number): number =>
    (children.get(pid) ?? [])
      .filter((child) => !child.name.startsWith('postgres'))
      .reduce((total, child) => total + child.bytes + sum(child.pid), 0);
  return (all.find((one) => one.pid === rootPid)?.bytes ?? 0) + sum(rootPid);
}

/** Returns the resident size of a process in bytes; 0 when it has ended. Linux only. */
export const residentBytes = (pid: number): number => read(pid)?.bytes ?? 0;

/** Returns null for a process that ended before it was read. */
function read(pid: number): Found | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
    return { pid, parent: Number(field('PPid')), name: field('Name'), bytes: Number(field('VmRSS')) * 1024 };
  } catch {
    return null;
  }
}

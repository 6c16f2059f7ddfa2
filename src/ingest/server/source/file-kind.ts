import type { Stats } from 'node:fs';

/** Returns the kind of file at a path, in an operator's words. */
export function kindOf(facts: Stats): string {
  if (facts.isFile()) return 'a file';
  if (facts.isDirectory()) return 'a folder';
  if (facts.isFIFO()) return 'a pipe';
  if (facts.isSocket()) return 'a socket';
  return 'a device';
}

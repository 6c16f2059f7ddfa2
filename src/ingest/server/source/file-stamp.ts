import type { Stats } from 'node:fs';

/** Size and modification time: a file with the same path and stamp is assumed to be unchanged. */
export type FileStamp = { sizeBytes: number; modifiedAt: Date };

/** The years 1 to 9999, which both Date and PostgreSQL can represent; file systems have times outside that range. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

export function stampOf({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): FileStamp {
  return {
    sizeBytes: size,
    modifiedAt: new Date(Math.min(Math.max(Math.floor(mtimeMs), EARLIEST_MS), LATEST_MS)),
  };
}

export const isSameStamp = (one: FileStamp, other: FileStamp): boolean =>
  one.sizeBytes === other.sizeBytes && one.modifiedAt.getTime() === other.modifiedAt.getTime();

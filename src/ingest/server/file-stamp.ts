import type { Stats } from 'node:fs';

/** By this a file is known again without reading it. */
export type FileStamp = { sizeBytes: number; modifiedAt: Date };

export const stampOf = ({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): FileStamp => ({
  sizeBytes: size,
  modifiedAt: new Date(Math.floor(mtimeMs)),
});

export const isSameStamp = (one: FileStamp, other: FileStamp): boolean =>
  one.sizeBytes === other.sizeBytes && one.modifiedAt.getTime() === other.modifiedAt.getTime();

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ctx } from '../../../context.ts';
import { EXIT, OperatorError } from '../../../platform/command-line.ts';
import { findShortage } from '../../../platform/files/folders.ts';
import { ingestLimits as limits } from '../../rules.ts';

/** The reason of an item whose file waits for free disk space. */
export const NO_DISK_SPACE = 'no-disk-space';

/** A file and its previews need about this many times the size of the file. */
const SPACE_FACTOR = 2;

/**
 * Returns a description of the disk that has too little free space to ingest or prepare a file of `bytes` bytes; null
 * when there is enough.
 */
export function findDiskShortage(ctx: Ctx, bytes = 0): Promise<string | null> {
  const { dataDir } = ctx.config;
  const stored = join(dataDir, 'files');
  const minFreeBytes = limits.freeDataBytes + SPACE_FACTOR * bytes;
  return findShortage([
    { name: 'the data folder', folder: dataDir, minFreeBytes },
    // It may be a disk of its own. Where it is missing, the file store says that the disk is not mounted.
    ...(existsSync(stored) ? [{ name: 'the folder of the stored files', folder: stored, minFreeBytes }] : []),
    { name: 'the temporary folder', folder: tmpdir(), minFreeBytes: limits.freeTempBytes + SPACE_FACTOR * bytes },
  ]);
}

/** Ends an ingest before a disk is full. Nothing is lost; the same command continues. */
export class DiskFullError extends OperatorError {
  constructor(shortage: string) {
    super(
      `There is too little disk space: ${shortage}. Free some; the same command continues where it stopped.`,
      EXIT.cannotCreate,
    );
  }
}

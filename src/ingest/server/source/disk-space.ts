import { tmpdir } from 'node:os';
import type { Ctx } from '../../../context.ts';
import { EXIT, OperatorError } from '../../../platform/command-line.ts';
import { isSqlState } from '../../../platform/db/client.ts';
import { findShortage } from '../../../platform/files/find-shortage.ts';
import { ingestLimits as limits } from '../../rules.ts';

/** The reason an item has while it waits for room. */
export const NO_ROOM = 'no-room';

/** A file and what is made of it take about this much of their own size, each time. */
const TIMES = 2;

/** Where there is too little room to take in or prepare a file of so many bytes, in an operator's words; or null. */
export function findNoRoom(ctx: Ctx, bytes = 0): Promise<string | null> {
  return findShortage([
    { name: 'the data folder', folder: ctx.config.dataDir, leastBytes: limits.freeDataBytes + TIMES * bytes },
    { name: 'the temporary folder', folder: tmpdir(), leastBytes: limits.freeTempBytes + TIMES * bytes },
  ]);
}

/** Whether an error, or what it wraps, says that a disk is full, the database's among them (disk_full). */
export function isOutOfRoom(error: unknown): boolean {
  return isSqlState(error, 'ENOSPC') || isSqlState(error, 'EDQUOT') || isSqlState(error, '53100');
}

/** Ends an ingest before the disk is full: nothing is lost, the same command goes on. */
export class NoRoomError extends OperatorError {
  constructor(shortage: string) {
    super(
      `There is too little room: ${shortage}. Free some; the same command goes on where it stopped.`,
      EXIT.cannotCreate,
    );
  }
}

import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transact, type Ctx } from '../../context.ts';
import type { FileState } from '../../library/server/tables.ts';
import { refusalReasons } from '../refusals.ts';
import { findConverter } from './soffice.ts';
import { prepareFileJob } from './jobs.ts';
import { WORK_FOLDER } from './prepare-stored-file.ts';
import { selectRetriable, updateFile, type FileRow } from './store.ts';

const AT_ONCE = 10_000;

/** Queues again what may come out better now; returns how many files that are. */
export async function retryFiles(ctx: Ctx, states: FileState[]): Promise<number> {
  const files = (await selectRetriable(ctx.db, states, AT_ONCE)).filter(mayImprove);
  for (const file of files) await retryFile(ctx, file);
  return files.length;
}

export function retryFile(ctx: Ctx, file: FileRow): Promise<void> {
  return transact(ctx, async (tx) => {
    // Pending previews stay on the shelf as they are until the better ones are there.
    if (file.state === 'failed') await updateFile(tx.db, file.id, { state: 'waiting' });
    await tx.jobs.add(prepareFileJob, { fileId: file.id }, { key: `prepare-file:${file.id}` });
  });
}

/** A refusal is the file's own fault and will be again. */
function mayImprove(file: FileRow): boolean {
  const reason = Object.entries(refusalReasons).find(([code]) => code === file.failureCode)?.[1];
  return reason?.kind !== 'refused';
}

/**
 * At the start of a process that runs jobs: removes work folders of processes that are gone, and, now that LibreOffice
 * is here, finishes what waited for it.
 */
export async function resumeIngest(ctx: Ctx): Promise<void> {
  await sweepWorkFolders();
  if (findConverter()) await retryFiles(ctx, ['waiting', 'pending-preview']);
}

async function sweepWorkFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const pid = Number(new RegExp(`^${WORK_FOLDER}(\\d+)-`).exec(name)?.[1]);
    if (pid && !isAlive(pid)) await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

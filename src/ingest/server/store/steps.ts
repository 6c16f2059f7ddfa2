import { and, eq, ne, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../../platform/db/client.ts';
import { files } from '../../../library/server/tables.ts';
import type { StepDetail, StepName, StepState } from '../../steps.ts';
import { ingestSteps } from './tables.ts';

type StepRow = typeof ingestSteps.$inferSelect;

export function selectSteps(db: Db, fileId: number): Promise<StepRow[]> {
  return db.select().from(ingestSteps).where(eq(ingestSteps.fileId, fileId)).limit(50);
}

/** Records that a step has started, and counts the attempt. */
export async function upsertStepStarted(db: Db, fileId: number, step: StepName): Promise<void> {
  await db
    .insert(ingestSteps)
    .values({ fileId, step, state: 'running', attempts: 1, brokenRuns: 1 })
    .onConflictDoUpdate({
      target: [ingestSteps.fileId, ingestSteps.step],
      set: {
        state: 'running',
        attempts: sql`${ingestSteps.attempts} + 1`,
        brokenRuns: sql`${ingestSteps.brokenRuns} + 1`,
        startedAt: sql`now()`,
        finishedAt: null,
        error: '',
      },
    });
}

export async function upsertStepEnded(
  db: Db,
  fileId: number,
  step: StepName,
  end: { state: Exclude<StepState, 'running'>; error?: string; detail?: StepDetail },
): Promise<void> {
  const { state, error = '', detail = {} } = end;
  const change = { state, error: error.slice(0, 500), detail, brokenRuns: 0, finishedAt: sql`now()` };
  await db
    .insert(ingestSteps)
    .values({ fileId, step, attempts: 1, ...change })
    .onConflictDoUpdate({ target: [ingestSteps.fileId, ingestSteps.step], set: change });
}

/** Restores the row that a step had before it started; deletes the row when there was none. */
export async function restoreStep(db: Db, fileId: number, step: StepName, before: StepRow | undefined): Promise<void> {
  const here = and(eq(ingestSteps.fileId, fileId), eq(ingestSteps.step, step));
  if (before) await db.update(ingestSteps).set(before).where(here);
  else await db.delete(ingestSteps).where(here);
}

export async function updateProgress(db: Db, fileId: number, percent: number): Promise<void> {
  await db.update(files).set({ progress: percent }).where(eq(files.id, fileId));
}

/**
 * Deletes the records of all steps but `store`, so that the next run prepares the file from its original. `readyMade`
 * records that page images came with the file; they are kept when fonts are missing.
 */
export async function deleteSteps(db: Db, fileId: number, readyMade: boolean): Promise<void> {
  await db.delete(ingestSteps).where(and(eq(ingestSteps.fileId, fileId), ne(ingestSteps.step, 'store')));
  await upsertStepEnded(db, fileId, 'store', { state: 'done', detail: readyMade ? { readyMade } : {} });
}

/** Failed attempts of a step after which a ready-made file is no longer completed. */
const MAX_TRIES = 3;

/**
 * Returns ready-made files that are published but whose steps have not all run, in the order of their documents.
 * `prefixes` are the first hex digits of their SHA-256. Leaves out files that failed too often.
 */
export async function selectReadyMade(db: Db, prefixes: readonly string[], onlyPdf: boolean): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select f.id from unnest(${sql.param([...prefixes])}::text[]) as prefix
        join files f on f.sha256 >= prefix and f.sha256 < prefix || 'g'
        cross join lateral (select min(id) as first from documents where file_id = f.id) as d
      where f.state = 'ready' and d.first is not null and (f.file_type = 'pdf' or not ${onlyPdf})
        and not exists (select from ingest_steps s where s.file_id = f.id and
          (s.step = 'publish' and s.state = 'done'
            or s.step not in ('charts', 'fingerprint') and s.state = 'failed' and s.attempts >= ${MAX_TRIES}))
      order by d.first limit 10000`,
  );
  return rows.map(({ id }) => id);
}

/** Counts the files in each running step, and the documents published within the last minute. */
export async function countSteps(db: Db): Promise<{ running: Record<string, number>; perMinute: number }> {
  const running = await rowsOf<{ step: string; count: number }>(
    db,
    sql`select step, count(*) as count from ingest_steps where state = 'running' group by step`,
  );
  const [rate] = await rowsOf<{ count: number }>(
    db,
    sql`select count(*) as count from ingest_steps
      where step = 'publish' and state = 'done' and finished_at > now() - interval '1 minute'`,
  );
  return { running: Object.fromEntries(running.map((row) => [row.step, row.count])), perMinute: rate?.count ?? 0 };
}

import { and, eq, ne, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../../platform/db/client.ts';
import { files } from '../../../library/server/tables.ts';
import type { StepDetail, StepName, StepState } from '../../steps.ts';
import { ingestSteps } from './tables.ts';

export type StepRow = typeof ingestSteps.$inferSelect;

export function selectSteps(db: Db, fileId: number): Promise<StepRow[]> {
  return db.select().from(ingestSteps).where(eq(ingestSteps.fileId, fileId)).limit(50);
}

/** Marks a step as begun once more. */
export async function beginStep(db: Db, fileId: number, step: StepName): Promise<void> {
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

export async function endStep(
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

/** As if it had not been begun: `before` is its row from then, if it had one. */
export async function unbeginStep(db: Db, fileId: number, step: StepName, before: StepRow | undefined): Promise<void> {
  const here = and(eq(ingestSteps.fileId, fileId), eq(ingestSteps.step, step));
  if (before) await db.update(ingestSteps).set(before).where(here);
  else await db.delete(ingestSteps).where(here);
}

export async function updateProgress(db: Db, fileId: number, percent: number): Promise<void> {
  await db.update(files).set({ progress: percent }).where(eq(files.id, fileId));
}

/**
 * Forgets every step but the storing, so that a file is prepared again from its original. `readyMade`: it came with page images,
 * which stay where fonts are missing.
 */
export async function forgetSteps(db: Db, fileId: number, readyMade: boolean): Promise<void> {
  await db.delete(ingestSteps).where(and(eq(ingestSteps.fileId, fileId), ne(ingestSteps.step, 'store')));
  await endStep(db, fileId, 'store', { state: 'done', detail: readyMade ? { readyMade } : {} });
}

/** Tries a step may have taken before a ready-made file is left as it came. */
const MAX_TRIES = 3;

/**
 * Of the contents whose SHA-256 begins with one of `prefixes` (hex, in lower case): the files that are on the shelf
 * without having gone the whole way, and did not fail too often on it. In the order of their documents.
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

/** How many files are in each step at this moment, and how many documents came out within the last minute. */
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

import { z } from 'zod';
import { type Ctx, transact } from '../../context.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import { documentsChanged } from '../jobs.ts';
import { readKeyPages } from '../key-pages.ts';
import { FACTS_VERSION, readPlanFacts } from '../plan-facts.ts';
import {
  lockFileWithoutFacts,
  selectDocumentsOfFiles,
  selectFilesWithoutFacts,
  selectPageTexts,
  updateFacts,
} from './store-plan-facts.ts';

/**
 * Reads the facts of these files and the kinds of their pages out of the text of their pages (C-118), where they were not read since the text changed. Returns the files whose
 * facts are others than before. Safe to repeat.
 */
export async function recordPlanFacts(ctx: Ctx, fileIds: number[]): Promise<number[]> {
  const changed: number[] = [];
  for (const fileId of fileIds) {
    const isChanged = await transact(ctx, async ({ db }) => {
      // A change of the text waits for this lock, and then marks the file as not read again.
      if (!(await lockFileWithoutFacts(db, fileId, FACTS_VERSION))) return false;
      const texts = await selectPageTexts(db, fileId);
      return updateFacts(db, fileId, FACTS_VERSION, { facts: readPlanFacts(texts), keyPages: readKeyPages(texts) });
    });
    if (isChanged) changed.push(fileId);
  }
  return changed;
}

const STEP = 100;

/** Reads the facts of the files of published documents that were ingested before facts were read, or by an older version. */
const factsMissing = defineJob({
  name: 'plan-facts-missing',
  payload: z.object({}),
  maxAttempts: 10,
  load: () =>
    Promise.resolve(async (ctx: Ctx) => {
      for (let afterId = 0; ;) {
        const files = await selectFilesWithoutFacts(ctx.db, { afterId, version: FACTS_VERSION, limit: STEP });
        const last = files.at(-1);
        if (last === undefined) return;
        const ids = await selectDocumentsOfFiles(ctx.db, await recordPlanFacts(ctx, files));
        if (ids.length > 0) await ctx.jobs.add(documentsChanged, { ids });
        afterId = last;
      }
    }),
});

/** Enqueues the reading that an upgrade left. Called at the start of the site. */
export async function resumePlanFacts(ctx: Ctx): Promise<void> {
  const missing = await selectFilesWithoutFacts(ctx.db, { afterId: 0, version: FACTS_VERSION, limit: 1 });
  if (missing.length > 0) await ctx.jobs.add(factsMissing, {}, { key: factsMissing.name, priority: 10 });
}

export const planFactsJobs = [factsMissing];

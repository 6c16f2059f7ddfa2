import { inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { transact } from '../../../context.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { countLibraryWords, describeMissing, recountLibraryWords } from './describe-missing.ts';
import { isDescriptionMissing } from './is-description-missing.ts';
import { countWordsJob } from './jobs.ts';
import { describing, pagesOf } from '../../../../tests/samples/plans.ts';
import { updateWordCounts, selectFingerprint, selectWordCounting, selectWordCounts } from './store.ts';
import { fileFingerprints } from './tables.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

const { fileOf, describeOne, described } = describing(() => app);

describe('the library as a whole', () => {
  beforeAll(async () => {
    for (let n = 0; n < 24; n++) await described({ texts: pagesOf(`${n % 8 === 0 ? '温泉' : '庙会'}第${n}场`, 3) });
  });

  it('describes files without a description, once', async () => {
    await describeMissing(app.ctx);
    expect(await isDescriptionMissing(app.ctx)).toBe(false);
    const { id } = await addPublished(app, { texts: ['新来的一份关于机场贵宾厅的方案'], pageCount: 1 });
    expect(await isDescriptionMissing(app.ctx)).toBe(true);
    expect(await describeMissing(app.ctx)).toBe(1);
    expect(await selectFingerprint(app.ctx.db, await fileOf(id))).not.toBeNull();
    expect(await describeMissing(app.ctx)).toBe(0);
    expect(await describeMissing(app.ctx, { isAll: true })).toBeGreaterThan(5);
  });

  it('counts its words, also when several are told to at once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => countLibraryWords(app.ctx)));
    const { files: counted, withWord } = await selectWordCounts(app.ctx.db, ['温泉', '没有这个词']);
    expect(counted).toBe((await app.ctx.db.select().from(fileFingerprints)).length);
    expect(withWord.get('温泉')).toBeGreaterThan(1);
    expect(withWord.has('没有这个词')).toBe(false);
  });

  it('counts its words again when it has grown by a twentieth', async () => {
    await countLibraryWords(app.ctx);
    const { countedFiles } = await selectWordCounting(app.ctx.db);
    expect(countedFiles).toBe((await app.ctx.db.select().from(fileFingerprints)).length);
    const recounts = () => app.ctx.jobs.countOpen([countWordsJob.name]);
    const grow = (change: object) =>
      app.ctx.db.execute(sql`update word_counting set (counted_files, new_files) =
        (select counted_files, new_files from jsonb_to_record(${JSON.stringify(change)}::jsonb)
          as wanted (counted_files integer, new_files integer))`);
    const before = await recounts();
    await grow({ counted_files: 20_000, new_files: 998 });
    const { fileId } = await described({ texts: ['一份关于灯塔的方案'], pageCount: 1 });
    expect(await selectWordCounting(app.ctx.db)).toEqual({ countedFiles: 20_000, newFiles: 999 });
    // Made again is not new.
    await describeOne(fileId);
    expect(await recounts()).toBe(before);
    await described({ texts: ['一份关于栈桥的方案'], pageCount: 1 });
    expect(await recounts()).toBe(1);
    await recountLibraryWords(app.ctx);
    expect(await selectWordCounting(app.ctx.db)).toEqual({ countedFiles: countedFiles + 2, newFiles: 0 });
    // Nothing came since.
    await grow({ counted_files: 7, new_files: 49 });
    await recountLibraryWords(app.ctx);
    expect(await selectWordCounting(app.ctx.db)).toEqual({ countedFiles: 7, newFiles: 49 });
    await countLibraryWords(app.ctx);
  });

  it('counts its words over a sample of all of it', async () => {
    const rows = await app.ctx.db.select({ id: fileFingerprints.fileId }).from(fileFingerprints);
    const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
    const newest = ids.slice(-Math.ceil(ids.length / 3));
    const added = sql`array_append(${fileFingerprints.words}, '只在新来的里')`;
    await app.ctx.db.update(fileFingerprints).set({ words: added }).where(inArray(fileFingerprints.fileId, newest));
    const sample = Math.floor(ids.length * 0.6);
    await transact(app.ctx, (tx) => updateWordCounts(tx.db, sample));
    const { files: counted, withWord } = await selectWordCounts(app.ctx.db, ['只在新来的里']);
    expect(counted).toBe(sample);
    expect(withWord.get('只在新来的里') ?? 0).toBeGreaterThan(sample / 6);
    await countLibraryWords(app.ctx);
  });

  it('neither searches nor indexes similar hashes for decks without words', async () => {
    for (let n = 0; n < 3; n++) await described({ texts: [''], pageCount: 1 });
    const { fileId } = await described({ texts: [''], pageCount: 1 });
    const blank = await selectFingerprint(app.ctx.db, fileId);
    expect(blank).toMatchObject({ shingleCount: 0, simhash: '0'.repeat(16) });
    const plan = await transact(app.ctx, async ({ db }) => {
      await db.execute(sql`set local enable_seqscan = off`);
      return rowsOf<{ 'QUERY PLAN': string }>(
        db,
        sql`explain select file_id from file_fingerprints where substr(simhash, 1, 4) = '0000' and pieces > 0 limit 50`,
      );
    });
    expect(JSON.stringify(plan)).toContain('file_fingerprints_quarter_1');
    const [index] = await rowsOf<{ said: string }>(
      app.ctx.db,
      sql`select pg_get_expr(indpred, indrelid) as said from pg_index
        where indexrelid = 'file_fingerprints_quarter_1'::regclass`,
    );
    expect(index?.said).toBe('(pieces > 0)');
  });
});

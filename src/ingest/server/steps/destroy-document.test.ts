import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPerson } from '../../../../tests/people.ts';
import { addReadableDeck } from '../../../../tests/readable-deck.ts';
import { typeCommand } from '../../../../tests/type-command.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { recordCharts } from '../../../charts/server/record-charts.ts';
import { createDocument, hideDocument, publishDocument } from '../../../library/server/documents.ts';
import { libraryCommands } from '../../../library/server/commands.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { files } from '../../../library/server/tables.ts';
import { downloadDocument } from '../../../membership/contract.ts';
import { EXIT } from '../../../platform/command-line.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { expectOk } from '../../../protocol/call.ts';
import { getDetail, openOriginal } from '../../../reading/contract.ts';
import { myDownload } from '../../../shelf/contract-history.ts';
import { documentFacts } from '../../../../tests/documents.ts';
import { transact } from '../../../context.ts';
import { describeFile, saveDescription } from '../about/describe-file.ts';
import { selectFingerprint } from '../about/store.ts';
import { ingestCommands } from '../intake/commands.ts';
import type { WordBox } from '../../word-boxes.ts';
import { upsertDrawnPage } from '../store/drawn-pages.ts';
import { selectFile } from '../store/files.ts';
import { sweepOrphans } from './sweep-orphans.ts';
import { prepareFileKey } from '../store/prepare-job.ts';
import { prepareFileJob } from './jobs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const ceku = (...argv: string[]) =>
  typeCommand(
    (program) => {
      libraryCommands(program, (work) => work(app.ctx));
      ingestCommands(program, (work) => work(app.ctx));
    },
    ['document', ...argv],
  );
const destroy = (id: number) => ceku('destroy', String(id), '--yes');

const SECRET = '绝密动线';

/** A published deck with a text, a chart, a PDF and images. */
async function addDeck(name: string) {
  const deck = await addReadableDeck(app, { name, pageCount: 2, texts: [SECRET, SECRET], organization: '某某公司' });
  const place = join(app.folder, 'image.webp');
  await writeFile(place, SECRET);
  for (const name of ['cover', 'share', 'p1', 'words'])
    await app.ctx.files.put(`media/${deck.mediaKey}/${name}.webp`, place);
  await app.ctx.files.put(`pdf/${deck.sha256}.pdf`, place);
  await recordCharts(app.ctx, deck.fileId, [
    {
      type: 'pie',
      title: SECRET,
      page: 1,
      data: { categories: [SECRET], series: [], categoryAxis: '', valueAxis: '' },
      frame: null,
      image: null,
    },
  ]);
  return deck;
}

async function storedOf({ sha256, mediaKey }: { sha256: string; mediaKey: string }) {
  const keys: string[] = [];
  for (const kind of ['originals', 'pdf', 'media'])
    for await (const { key } of app.ctx.files.list(kind))
      if (key.includes(sha256) || key.includes(mediaKey)) keys.push(key);
  return keys;
}

/** Tables with a row that holds a text, searched in every column. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    app.ctx.db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await rowsOf(
      app.ctx.db,
      sql`select 1 from ${sql.identifier(name)} t where t::text like ${`%${text}%`} limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

test('a hidden document is destroyed with its bytes, texts and charts; its row and what members paid stay', async () => {
  const deck = await addDeck('要销毁的方案一');
  const owner = await addPerson(app);
  expectOk(await app.call(downloadDocument, { fid: deck.id }, owner.token));
  await hideDocument(app.ctx, deck.id, 'operator');
  expect(await tablesWith(SECRET)).toContain('pages');
  expect(await storedOf(deck)).toHaveLength(6);

  const done = await destroy(deck.id);
  expect(done).toEqual({
    code: EXIT.ok,
    out: `Document ${deck.id} is destroyed. Backups made before still hold it.\n`,
    err: '',
  });
  expect(await storedOf(deck)).toEqual([]);
  expect(await tablesWith(SECRET)).toEqual([]);
  expect(await tablesWith('要销毁的方案一')).toEqual([]);
  expect(await findDocument(app.ctx, deck.id)).toMatchObject({
    name: '已销毁的方案',
    state: 'hidden',
    hiddenReason: 'illegal',
    organizationName: null,
    sha256: deck.sha256,
    fileState: 'failed',
  });

  // Its owner gets the answers of a document that was hidden for copyright.
  const other = await addDeck('因版权下架的方案');
  expectOk(await app.call(downloadDocument, { fid: other.id }, owner.token));
  await hideDocument(app.ctx, other.id, 'copyright');
  for (const call of [downloadDocument, getDetail, openOriginal])
    expect(await app.call(call, { fid: deck.id }, owner.token)).toEqual(
      await app.call(call, { fid: other.id }, owner.token),
    );
  const { files: owned } = expectOk(await app.call(myDownload, {}, owner.token));
  expect(owned.map(({ id, name, can_download: can }) => [id, name, can])).toEqual([
    [other.id, '因版权下架的方案', 0],
    [deck.id, '已销毁的方案', 0],
  ]);

  const shown = await ceku('show', String(deck.id));
  expect(shown.out).toMatch(/destroyed on \d{4}-\d\d-\d\d/);
  for (const argv of [['restore'], ['restore', '--despite-reason'], ['hide'], ['set', '--name', 'x']]) {
    const { code, err } = await ceku(argv[0] ?? '', String(deck.id), ...argv.slice(1));
    expect([code, err]).toEqual([EXIT.data, expect.stringContaining(`Document ${deck.id} was destroyed on`)]);
  }
  expect((await ceku('verify', String(deck.id))).out).toBe(
    `not checked: document ${deck.id}, whose original was destroyed\n0 originals checked, 0 lost.\n`,
  );
  const converted = await typeCommand(
    (program) => ingestCommands(program, (work) => work(app.ctx)),
    ['convert', '--document', String(deck.id)],
  );
  expect([converted.code, converted.err]).toEqual([EXIT.data, expect.stringContaining('nothing is left to prepare')]);
});

test('a second call says that it is done; one that was cut off is finished, by a call or by the sweep', async () => {
  const deck = await addDeck('要销毁的方案二');
  await hideDocument(app.ctx, deck.id, 'illegal');
  expect((await destroy(deck.id)).code).toBe(EXIT.ok);
  const again = await destroy(deck.id);
  expect(again).toMatchObject({
    code: EXIT.ok,
    out: `Document ${deck.id} is destroyed already: nothing of it is left.\n`,
  });

  const place = join(app.folder, 'left');
  const leave = async () => {
    await writeFile(place, 'left');
    await app.ctx.files.put(`originals/${deck.sha256}`, place);
    await app.ctx.files.put(`media/${deck.mediaKey}/cover.webp`, place);
  };
  await leave();
  expect((await destroy(deck.id)).out).toContain('is destroyed. Backups');
  expect(await storedOf(deck)).toEqual([]);
  await leave();
  await sweepOrphans(app.ctx, { olderThanMs: -60_000 });
  expect(await storedOf(deck)).toEqual([]);
});

test('a document that is shown is not destroyed, nor one without --yes, one that is being prepared, or none', async () => {
  const deck = await addDeck('公开的方案');
  const refused = await destroy(deck.id);
  expect([refused.code, refused.err]).toEqual([
    EXIT.data,
    `Document ${deck.id} is published. Hide it first: ceku document hide ${deck.id} --reason illegal (or copyright).\n`,
  ]);
  await hideDocument(app.ctx, deck.id, 'illegal');
  expect(await ceku('destroy', String(deck.id))).toMatchObject({
    code: EXIT.usage,
    err: expect.stringContaining('Add --yes'),
  });
  await app.ctx.jobs.add(prepareFileJob, { fileId: deck.fileId }, { key: prepareFileKey(deck.fileId) });
  expect(await destroy(deck.id)).toMatchObject({ code: EXIT.busy, err: expect.stringContaining('is being prepared') });
  expect(await storedOf(deck)).toHaveLength(6);
  expect(await destroy(987_654)).toMatchObject({ code: EXIT.data, err: 'There is no document 987654.\n' });
  expect((await destroy(0)).code).toBe(EXIT.usage);
});

test('a file that another document has, shown or hidden, stays until that is destroyed too', async () => {
  const deck = await addDeck('同一文件的方案');
  const twin = await createDocument(app.ctx, { ...documentFacts({ name: '另一份' }), fileId: deck.fileId });
  await publishDocument(app.ctx, twin);
  await hideDocument(app.ctx, deck.id, 'copyright');
  const kept = await destroy(deck.id);
  expect([kept.code, kept.out]).toEqual([
    EXIT.partial,
    expect.stringContaining(`Its file stays, because document ${twin} of the library has the same file`),
  ]);
  expect(await findDocument(app.ctx, deck.id)).toMatchObject({ name: '已销毁的方案', hiddenReason: 'copyright' });
  expect(await findDocument(app.ctx, twin)).toMatchObject({ state: 'published', fileState: 'ready', name: '另一份' });
  expect(await storedOf(deck)).toHaveLength(6);
  await hideDocument(app.ctx, twin, 'operator');
  // Its owners may still read it.
  expect((await destroy(deck.id)).code).toBe(EXIT.partial);
  expect(await storedOf(deck)).toHaveLength(6);
  expect((await destroy(twin)).code).toBe(EXIT.ok);
  expect(await storedOf(deck)).toEqual([]);
  expect((await destroy(deck.id)).out).toContain('is destroyed already');
});

test('what was read or drawn before the destruction and is saved after it does not stay', async () => {
  const deck = await addDeck('要销毁的方案三');
  await hideDocument(app.ctx, deck.id, 'illegal');
  const file = await selectFile(app.ctx.db, deck.fileId);
  if (!file) throw new Error('the deck has no file');
  const description = await describeFile(app.ctx, file);
  expect(JSON.stringify(description)).toContain('绝密');
  expect((await destroy(deck.id)).code).toBe(EXIT.ok);
  await transact(app.ctx, (tx) => saveDescription(tx, description));
  expect(await selectFingerprint(app.ctx.db, deck.fileId)).toBeNull();
  expect((await selectFile(app.ctx.db, deck.fileId))?.textExcerpt).toBe('');

  const late = '迟到的动线';
  const page = {
    fileId: deck.fileId,
    pageNumber: 1,
    imageName: 'late',
    words: [[late, 0, 0, 1, 1] satisfies WordBox],
  };
  await upsertDrawnPage(app.ctx.db, {
    ...page,
    thumbnailName: '',
    thumbnailWidth: 0,
    thumbnailHeight: 0,
    bytes: 1,
    usedAt: new Date(app.ctx.clock.now()),
  });
  expect(await tablesWith(late)).toEqual(['drawn_pages']);
  expect((await destroy(deck.id)).out).toContain('is destroyed already');
  expect(await tablesWith(late)).toEqual([]);
});

test('the same bytes are refused at a later ingest and copied nowhere, by the same path too', async () => {
  const folder = join(app.folder, 'brought');
  await mkdir(folder);
  const deck = await addDeck('要销毁的方案三');
  const bytes = await readFile(join(app.dataDir, 'files', 'originals', deck.sha256.slice(0, 2), deck.sha256));
  await writeFile(join(folder, 'deck.pdf'), bytes);
  const quarantine = join(app.folder, 'quarantine');
  const ingest = async () => {
    const ran = await typeCommand(
      (program) => ingestCommands(program, (work) => work(app.ctx)),
      ['ingest', folder, '--json', '--quarantine', quarantine],
    );
    return ran.out;
  };
  expect(await ingest()).toContain(`same content as document ${deck.id}`);
  await hideDocument(app.ctx, deck.id, 'illegal');
  expect((await destroy(deck.id)).code).toBe(EXIT.ok);
  expect(await ingest()).toContain('the same file was destroyed by ceku document destroy, and is not taken again');
  expect(await storedOf(deck)).toEqual([]);
  expect((await readdir(quarantine)).filter((name) => !name.endsWith('.txt'))).toEqual([]);
  const rows = await app.ctx.db.select().from(files).where(eq(files.sha256, deck.sha256));
  expect(rows).toMatchObject([{ failureCode: 'destroyed' }]);
});

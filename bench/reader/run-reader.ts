import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { and, count, eq } from 'drizzle-orm';
import { collectFiles } from '../../src/ingest/server/source/collect-files.ts';
import { readConfig } from '../../src/config.ts';
import type { Ctx } from '../../src/context.ts';
import { drawnPages } from '../../src/ingest/server/store/tables.ts';
import { documents, files, pages } from '../../src/library/server/tables.ts';
import { openApp } from '../../src/open-app.ts';
import { createLog } from '../../src/platform/log.ts';
import { PREVIEW_PAGES } from '../../src/library/limits.ts';
import { openSite, type Site } from '../../tests/journeys/site.ts';
import { logIn } from '../http/run-pages.ts';
import { chooseDecks, firstPageOf, openAt, rowOf, type Deck, type Loaded, type Member } from './measure-drawing.ts';
import { printTab } from './measure-tab.ts';

const PACK = fileURLToPath(new URL('../../demo/pack', import.meta.url));
const READER = { username: 'bench-reader', password: 'bench2026' };
const DECKS = 20;
/** A membership for life has twenty sessions (C-43), one for each deck. */
const FOR_LIFE_DAYS = '36500';
/** How long a reader looks at a page before opening the next deck. */
const PAUSE_MS = 1_500;
const FIRST_MS = 1_000;
const WARM_MS = 100;

type Options = { files?: string[]; batch: number; pages: number; only?: 'drawing' | 'tab' };

/**
 * Measures how long a reader of whole decks waits: for the first page drawn on demand while a batch is ingested, the same page again,
 * twenty readers at once, and a long PDF in a browser.
 */
export async function printReader(options: Options): Promise<void> {
  const site = await openSite({ DEMO: 'off', OUTSIDE: 'off', RATE_LIMITS: 'off' });
  try {
    const member = await addMember(site);
    if (options.only !== 'tab') await printDrawing(site, member, options);
    if (options.only !== 'drawing') await printTab(site, { ...READER, pages: options.pages });
  } finally {
    await site.close();
  }
}

async function addMember(site: Site): Promise<Member> {
  const { username, password } = READER;
  await command(site, 'user', 'create', '--username', username, '--password', password);
  await command(
    site,
    'user',
    'grant-vip',
    '--username',
    username,
    '--tier',
    '2',
    '--days',
    FOR_LIFE_DAYS,
    '--reason',
    'bench',
  );
  return { origin: site.origin, headers: await logIn(site.origin, READER) };
}

async function printDrawing(site: Site, member: Member, { files = [], batch }: Options): Promise<void> {
  const pack = packByPages();
  console.log(`ingesting the decks to be read (load ${load()})`);
  const { decks, added } = await ingestDecks(site, files, pack);
  if (decks.length < DECKS) throw new Error(`only ${decks.length} decks have a page that is drawn on demand`);
  printDecks(decks);
  const before = await countPublished(site);
  const rest = pack.slice(added, added + batch);
  const ingest = { isRunning: true };
  const done = site.ceku('ingest', ...rest, '--json').finally(() => (ingest.isRunning = false));
  // The batch is at work when its first two files are published.
  while (ingest.isRunning && (await countDocuments(member)) < before + 2) await wait(250);
  const rows = [];

  const first: Loaded[] = [];
  let readBesideBatch = 0;
  for (const [turn, deck] of decks.entries()) {
    first.push(await openAt(member, deck, firstPageOf(deck, turn)));
    if (ingest.isRunning) readBesideBatch += 1;
    await wait(PAUSE_MS);
  }
  rows.push({ ...rowOf('first page of a deck', first, FIRST_MS), 'batch at work': `for ${readBesideBatch}` });

  const warm: Loaded[] = [];
  for (const { deck, page } of first) warm.push(await openAt(member, deck, page));
  rows.push({
    ...rowOf('the same pages again', warm, WARM_MS),
    'batch at work': ingest.isRunning ? 'at the end' : 'no',
  });

  await forgetDrawnPages(site);
  const readers = [member];
  for (const _deck of decks.slice(1)) readers.push({ ...member, headers: await logIn(member.origin, READER) });
  const burst = await Promise.all(
    readers.map((reader, turn) => {
      const deck = decks[turn] ?? decks[0];
      if (!deck) throw new Error('there is no deck');
      return openAt(reader, deck, deck.pageCount);
    }),
  );
  rows.push({
    ...rowOf('20 readers at once, last pages', burst, FIRST_MS),
    'batch at work': ingest.isRunning ? 'at the end' : 'no',
  });

  const published = (await countDocuments(member)) - before;
  console.log(`${decks.length} decks read, ${published} of ${rest.length} files of the batch published meanwhile`);
  console.table(rows);
  for (const { deck, page, status, ms } of first.filter((each) => each.status !== 200 || each.ms >= FIRST_MS))
    console.log(`${deck.image} image of page ${page} of ${deck.name}: ${status}, ${Math.round(ms)} ms`);
  await done;
}

/** Makes all pages undrawn again, as an eviction does: decks of eleven pages, and short ones, have no other image to ask for. */
const forgetDrawnPages = (site: Site) => withDatabase(site, ({ db }) => db.delete(drawnPages));

async function withDatabase<T>(site: Site, work: (ctx: Ctx) => PromiseLike<T>): Promise<T> {
  const config = readConfig({ DATA_DIR: site.dataDir, LOG_LEVEL: 'warn' });
  const app = await openApp(config, createLog(config.logLevel), 'tool');
  try {
    return await work(app.ctx);
  } finally {
    await app.close();
  }
}

const load = () => loadavg()[0]?.toFixed(1);

/**
 * Ingests the given files, and decks of the demo library where these are fewer than twenty. Returns the longest decks with
 * an image that is drawn on demand, and how many decks of the demo library were added.
 */
async function ingestDecks(site: Site, given: string[], pack: string[]): Promise<{ decks: Deck[]; added: number }> {
  const own = given.length > 0 ? (await collectFiles(given)).files : [];
  if (own.length > 0) await command(site, 'ingest', ...own, '--json');
  const found = await listReadable(site);
  const added = Math.max(DECKS - found.length, 0);
  if (added > 0) await command(site, 'ingest', ...pack.slice(0, added), '--json');
  return { decks: chooseDecks(added > 0 ? await listReadable(site) : found, DECKS), added };
}

/**
 * Lists the published documents with pages after the preview, or else with a large image of their last page. The database
 * tells: search knows what was just published only a moment later.
 */
async function listReadable(site: Site): Promise<Deck[]> {
  const rows = await withDatabase(site, ({ db }) =>
    db
      .select({ id: documents.id, name: documents.name, pageCount: files.pageCount, largeWidth: pages.largeWidth })
      .from(documents)
      .innerJoin(files, eq(files.id, documents.fileId))
      .leftJoin(pages, and(eq(pages.fileId, files.id), eq(pages.pageNumber, files.pageCount)))
      .where(eq(documents.state, 'published')),
  );
  return rows.flatMap(({ id, name, pageCount, largeWidth }): Deck[] => {
    if (pageCount > PREVIEW_PAGES) return [{ id, name, pageCount, image: 'normal' }];
    return (largeWidth ?? 0) > 0 ? [{ id, name, pageCount, image: 'large' }] : [];
  });
}

function printDecks(decks: readonly Deck[]): void {
  const rows = decks.map((deck, turn) => ({
    name: deck.name,
    pages: deck.pageCount,
    'first asked for': `page ${firstPageOf(deck, turn)}${deck.image === 'large' ? ', large image' : ''}`,
  }));
  console.table(rows);
}

/** Counts in the database: search, which countDocuments asks, knows of a new document a moment later. */
async function countPublished(site: Site): Promise<number> {
  const rows = await withDatabase(site, ({ db }) =>
    db.select({ published: count() }).from(documents).where(eq(documents.state, 'published')),
  );
  return rows[0]?.published ?? 0;
}

async function countDocuments(member: Member): Promise<number> {
  const { total } = await post<{ total: number }>(member, '/api/doc/search', { pageSize: 1 });
  return total;
}

async function post<T>({ origin, headers }: Member, path: string, body: object): Promise<T> {
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // Safe: the callers name the fields of the contract that they read.
  const reply = (await answer.json()) as { code: number; message: string; data: T };
  if (reply.code !== 0) throw new Error(`${path}: ${reply.message}`);
  return reply.data;
}

/** Runs an operator's command; throws what it says when it fails. */
async function command(site: Site, ...words: string[]): Promise<void> {
  const { code, stderr } = await site.ceku(...words);
  if (code !== 0) throw new Error(`ceku ${words[0]} ended with ${code}: ${stderr}`);
}

/** Lists the decks of the demo library, those with most pages first. */
function packByPages(): string[] {
  const counts = new Map<string, number>();
  for (const folder of readdirSync(join(PACK, 'previews'))) {
    const text = readFileSync(join(PACK, 'previews', folder, 'prepared.json'), 'utf8');
    // Safe: build-pack.ts writes the field.
    counts.set(folder, (JSON.parse(text) as { pageCount: number }).pageCount);
  }
  const pagesOf = new Map<string, number>();
  for (const name of readdirSync(join(PACK, 'files')).toSorted()) {
    const file = join(PACK, 'files', name);
    pagesOf.set(file, counts.get(sha16(file)) ?? 0);
  }
  return [...pagesOf].toSorted(([, one], [, other]) => other - one).map(([file]) => file);
}

const sha16 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);

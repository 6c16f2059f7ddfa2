import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { loadDemoPack } from '../../demo/load-pack.ts';
import { FILE_TYPES } from '../../src/library/file-types.ts';
import { seedTaxonomy } from '../../src/library/server/labels.ts';
import { rowsOf } from '../../src/platform/db/client.ts';
import { expectOk } from '../../src/protocol/call.ts';
import { searchDocuments } from '../../src/search/contract.ts';
import { searchCharts } from '../../src/search/contract-charts.ts';
import { indexDocuments } from '../../src/search/server/indexing/index-documents.ts';
import { isShared } from '../../src/search/server/suggest/suggest-words.ts';
import { pageWordsOf, refreshVocabulary, vocabularyOf } from '../../src/search/server/words/vocabulary.ts';
import { addPerson } from '../people.ts';
import { prepareInStore } from '../prepared-file.ts';
import type { TestApp } from '../test-app.ts';
import type { DeckTexts } from './automatic-queries.ts';
import { figuresOf, meanOf, type Figures } from './figures.ts';
import { readJudgements, SETS, type Judged, type SetName } from './judgements.ts';

/** The result of one query of the relevance set; `found`: file names without ending, best first. */
export type Measured = Judged & { set: SetName; found: string[]; figures: Figures };

/** Queries asked at once: while the database answers one, the node cuts another. */
const AT_ONCE = 6;

/** The demo library, open to an advanced member. */
export type Library = {
  /** The published decks, by id. */
  decks: DeckTexts[];
  /** Returns the files of the first results of each query, best first, with the similar plans that complete a short list. */
  ask(queries: readonly string[]): Promise<string[][]>;
  /** Returns the charts of the first page of each query, best first, as `file#number`. */
  askCharts(queries: readonly string[]): Promise<string[][]>;
  /** All charts of the library. */
  charts: LibraryChart[];
  /** All words that are suggested to somebody who types: those of names and labels, and those of pages. */
  suggested: string[];
};

/** The decks of a library: those of the demo library, of a folder (which needs LibreOffice), or of both. */
export type LibrarySource = { hasDemo: boolean; folder?: string | undefined };

/** `id` is `file#number`. A chart of a PDF has no title and no series. */
export type LibraryChart = { id: string; title: string; series: string[] };

/** Loads the decks of `source` into the empty `app`. */
export async function openLibrary(app: TestApp, source: LibrarySource = { hasDemo: true }): Promise<Library> {
  if (source.hasDemo) await loadDemoPack(app.ctx, () => undefined);
  if (source.folder !== undefined) await prepareFolder(app, source.folder, source.hasDemo);
  await app.refreshSearch();
  await refreshVocabulary(app.ctx);
  const { id, token } = await addPerson(app);
  await app.ctx.db.execute(
    sql`insert into memberships (user_id, advanced_end_at) values (${id}, now() + interval '30 days')`,
  );
  const decks = await selectDecks(app);
  const files = new Map(decks.map((deck) => [deck.id, deck.file]));
  const charts = await selectCharts(app);
  return {
    decks,
    charts: [...charts.values()],
    suggested: [
      ...vocabularyOf(app.ctx).byText.values(),
      ...[...pageWordsOf(app.ctx).byText.values()].filter(isShared),
    ].map(({ shown }) => shown),
    async ask(queries) {
      const answers: string[][] = [];
      for (let at = 0; at < queries.length; at += AT_ONCE) {
        const asked = queries
          .slice(at, at + AT_ONCE)
          .map((search_key) => app.call(searchDocuments, { search_key }, token));
        const found = (await Promise.all(asked)).map(expectOk).map((each) => [...each.item_list, ...each.similar_list]);
        answers.push(...found.map((items) => items.map((item) => files.get(item.id) ?? '')));
      }
      return answers;
    },
    async askCharts(queries) {
      const answers: string[][] = [];
      for (const keyword of queries) {
        const found = expectOk(await app.call(searchCharts, { keyword }, token)).charts;
        answers.push(found.map(({ id }) => charts.get(id)?.id ?? ''));
      }
      return answers;
    },
  };
}

/** Asks every judged query of charts. */
export async function measureCharts(
  { askCharts }: Library,
  judged = readJudgements('charts'),
): Promise<(Judged & { found: string[]; figures: Figures })[]> {
  const answers = await askCharts(judged.map(({ query }) => query));
  return judged.map((each, at) => ({ ...each, found: answers[at] ?? [], figures: figuresOf(each, answers[at] ?? []) }));
}

/** Returns the charts of the library by the id of their row. */
async function selectCharts(app: TestApp): Promise<Map<number, LibraryChart>> {
  const rows = await rowsOf<{ id: number; file: string; number: number; title: string; series: string[] }>(
    app.ctx.db,
    sql`select c.id::int as id, f.original_name as file, c.number, coalesce(nullif(c.title, ''), c.name) as title,
        array(select s ->> 'name' from jsonb_array_elements(c.data -> 'series') s) as series
      from charts c join files f on f.id = c.file_id order by c.id`,
  );
  return new Map(
    rows.map(({ id, file, number, ...rest }) => [id, { id: `${file.replace(/\.\w+$/, '')}#${number}`, ...rest }]),
  );
}

/** Asks every query of all sets. */
export const measureRelevance = (library: Library): Promise<Measured[]> =>
  measureQueries(
    library,
    SETS.flatMap((set) => readJudgements(set).map((each) => ({ ...each, set }))),
  );

/** Asks judged queries of documents. Throws when a grade names a file that the library does not have. */
export async function measureQueries<T extends Judged>(
  { decks, ask }: Library,
  all: readonly T[],
): Promise<(T & { found: string[]; figures: Figures })[]> {
  const files = new Set(decks.map(({ file }) => file));
  for (const { query, grades } of all) {
    const unknown = [...grades.keys()].filter((file) => !files.has(file));
    if (unknown.length > 0) throw new Error(`${query} names files the library has not: ${unknown.join(' ')}`);
  }
  const answers = await ask(all.map(({ query }) => query));
  return all.map((judged, at) => {
    const found = answers[at] ?? [];
    return { ...judged, found, figures: figuresOf(judged, found) };
  });
}

/** The means of each class of a set, and of all its queries that the library can answer (`overall`). */
export function summarize(all: Measured[], set: SetName): Map<string, Figures> {
  const measured = all.filter((each) => each.set === set);
  const figures = (list: Measured[]) => meanOf(list.map((each) => each.figures));
  const classes = [...Map.groupBy(measured, (each) => each.class)];
  return new Map([
    ...classes.map(([name, list]) => [name, figures(list)] as const),
    ['overall', figures(measured.filter(({ grades }) => grades.size > 0))],
  ]);
}

/** Publishes the decks of a folder. A file that ingest refuses is named and left out. */
async function prepareFolder({ ctx }: TestApp, folder: string, hasLabels: boolean): Promise<void> {
  if (!hasLabels) await seedTaxonomy(ctx);
  for (const name of await readdir(folder)) {
    const fileType = FILE_TYPES.find((type) => name.endsWith(`.${type}`));
    if (!fileType) continue;
    await prepareInStore(ctx, { path: join(folder, name), fileType }).catch((error: unknown) => {
      console.error(`${name} is left out: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  const rows = await rowsOf<{ id: number }>(ctx.db, sql`select id::int as id from documents where state = 'published'`);
  await indexDocuments(
    ctx,
    rows.map(({ id }) => id),
  );
}

async function selectDecks(app: TestApp): Promise<(DeckTexts & { id: number })[]> {
  const rows = await rowsOf<{
    id: number;
    file: string;
    name: string;
    keyword: string;
    label: string;
    pages: string[];
  }>(
    app.ctx.db,
    sql`select d.id::int as id, f.original_name as file, d.name, d.keyword, coalesce(i.name, '') as label,
        array(select p.text from pages p where p.file_id = f.id order by p.page_number) as pages
      from documents d join files f on f.id = d.file_id left join industries i on i.id = d.industry_id
      where d.state = 'published' order by d.id`,
  );
  return rows.map(({ id, file, name, keyword, label, pages }) => ({
    id,
    file: file.replace(/\.\w+$/, ''),
    name,
    labels: [...new Set([label, ...keyword.split(/[,，]/)])].filter(Boolean),
    pages,
  }));
}

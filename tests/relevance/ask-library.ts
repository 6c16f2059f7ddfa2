import { sql } from 'drizzle-orm';
import { loadDemoPack } from '../../demo/load-pack.ts';
import { rowsOf } from '../../src/platform/db/client.ts';
import { expectOk } from '../../src/protocol/call.ts';
import { searchDocuments } from '../../src/search/contract.ts';
import { refreshVocabulary } from '../../src/search/server/words/vocabulary.ts';
import { addPerson } from '../people.ts';
import type { TestApp } from '../test-app.ts';
import { figuresOf, meanOf, type Figures } from './figures.ts';
import { readJudgements, SETS, type Judged, type SetName } from './judgements.ts';

/** What one query of the relevance set came to; `found`: file names without ending, best first. */
export type Measured = Judged & { set: SetName; found: string[]; figures: Figures };

/** Loads the demo library into the empty `app`, and asks it every query of all sets as an advanced member. */
export async function measureRelevance(app: TestApp): Promise<Measured[]> {
  await loadDemoPack(app.ctx, () => undefined);
  await app.refreshSearch();
  await refreshVocabulary(app.ctx);
  const { id, token } = await addPerson(app);
  await app.ctx.db.execute(
    sql`insert into memberships (user_id, advanced_end_at) values (${id}, now() + interval '30 days')`,
  );
  const files = await fileNames(app);
  const measured: Measured[] = [];
  for (const judged of SETS.flatMap((set) => readJudgements(set).map((each) => ({ ...each, set })))) {
    const unknown = [...judged.grades.keys()].filter((file) => ![...files.values()].includes(file));
    if (unknown.length > 0) throw new Error(`${judged.query} names files the library has not: ${unknown.join(' ')}`);
    const { item_list } = expectOk(await app.call(searchDocuments, { search_key: judged.query }, token));
    const found = item_list.map((item) => files.get(item.id) ?? '');
    measured.push({ ...judged, found, figures: figuresOf(judged, found) });
  }
  return measured;
}

/** The means of each class of a set, and of all its queries that the library can answer (`overall`). */
export function summarize(all: Measured[], set: SetName): Map<string, Figures> {
  const measured = all.filter((each) => each.set === set);
  const figures = (list: Measured[]) => meanOf(list.map((each) => each.figures));
  const classes = [...Map.groupBy(measured, (each) => each.class)];
  return new Map([...classes.map(([name, list]) => [name, figures(list)] as const), ['overall', figures(measured.filter(({ grades }) => grades.size > 0))]]);
}

async function fileNames(app: TestApp): Promise<Map<number, string>> {
  const rows = await rowsOf<{ id: number; name: string }>(
    app.ctx.db,
    sql`select d.id::int as id, f.original_name as name from documents d join files f on f.id = d.file_id`,
  );
  return new Map(rows.map(({ id, name }) => [id, name.replace(/\.\w+$/, '')]));
}

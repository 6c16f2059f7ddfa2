import pg from 'pg';
import { fileKindOf } from '../../src/library/file-types.ts';
import { queryLiteral, tokensLiteral, typeMark } from '../../src/search/literals.ts';
import { TOP, type Engine } from './engine.ts';
import type { Question } from './questions.ts';

const BATCH = 2_000;
const CLIENTS = 16;

/** Its full text search over our tokens: a tsvector with a GIN index; rank by ts_rank and the recommended score. */
export const postgres: Engine = {
  name: 'PostgreSQL',
  missing: () => Promise.resolve(null),
  async build({ databaseUrl }, documents) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(`create table entries (id bigint primary key, tokens tsvector not null, score float8 not null,
      themes int[] not null, created timestamptz not null)`);
    let rows: object[] = [];
    const flush = async () => {
      await client.query(
        `insert into entries select id, tokens::tsvector, score, themes, created from json_to_recordset($1::json)
          as r (id bigint, tokens text, score float8, themes int[], created timestamptz)`,
        [JSON.stringify(rows)],
      );
      rows = [];
    };
    for (const document of documents) {
      const { id, name, keyword, organization, industry, fileType, themeIds, recommendScore } = document;
      const createdAt = new Date(document.createdAt);
      const tokens = tokensLiteral({ name, keyword, labels: [organization, industry], facts: [], fileType, createdAt });
      if (rows.push({ id, tokens, score: recommendScore, themes: themeIds, created: createdAt }) === BATCH)
        await flush();
    }
    await flush();
    await client.query(`set maintenance_work_mem = '512MB'`);
    await client.query('create index entries_tokens on entries using gin (tokens) with (fastupdate = off)');
    await client.query('vacuum analyze entries');
    const { rows: sizes } = await client.query<{ size: string }>(`select pg_total_relation_size('entries') as size`);
    await client.end();
    return { disk: Number(sizes[0]?.size ?? 0) };
  },
  async open({ databaseUrl }) {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: CLIENTS });
    return {
      async ask(question) {
        const { rows } = await pool.query<{ total: string; ids: string[] | null }>(statementOf(question));
        return { ids: (rows[0]?.ids ?? []).map(Number), total: Number(rows[0]?.total ?? 0) };
      },
      close: () => pool.end(),
    };
  },
  isInMemory: false,
  every: 1,
  largest: { names: Infinity, whole: 0 },
  processes: 1,
};

function statementOf({ words, filter }: Question) {
  const [type] = filter.fileTypes ?? [];
  const values: unknown[] = [queryLiteral(words, type ? [typeMark(fileKindOf(type).kind)] : [])];
  let where = 'tokens @@ $1::tsquery';
  if (filter.themeId) where += ` and themes @> array[$${values.push(filter.themeId)}::int]`;
  if (filter.since) where += ` and created >= $${values.push(new Date(filter.since))}`;
  const text = `with hits as materialized (select id, 12 * ts_rank('{0,.1,.4,1}', tokens, $1::tsquery) + score as rank
      from entries where ${where})
    select (select count(*) from hits) as total,
      (select array_agg(id) from (select id from hits order by rank desc, id desc limit ${TOP}) as page) as ids`;
  return { name: `by ${where}`, text, values };
}

import { sql } from 'drizzle-orm';
import { transact, type Ctx } from '../src/context.ts';
import { EXIT, OperatorError } from '../src/platform/command-line.ts';
import { labelIdsOf } from '../src/library/server/labels.ts';
import { documentFactColumns, FACT_NAMES, factList } from '../src/library/server/filter-sql.ts';
import { recommendScore } from '../src/library/rules.ts';
import { SINGLE_KINDS, type SingleKind } from '../src/library/taxonomy.ts';
import { rowsOf, type Db } from '../src/platform/db/client.ts';
import type { FileType } from '../src/library/file-types.ts';
import { tokensLiteral } from '../src/search/literals.ts';
import { documentNames, type InventedDocument } from './names.ts';
import { createRandom, type Random } from './random.ts';

const BATCH = 2_500;
const SEED = 20_261_120;
/** From this many new documents on, building the search index again is cheaper than updating it. */
const REBUILD_INDEX_FROM = 20_000;

/**
 * Fills the library up to `total` documents that share the files of the demo library: for load tests, and to see the
 * site at its full size. A second run continues where the first ended. Searches wait while the index is built at the
 * end of a large fill (some seconds for 100,000); where a fill was killed, the next start of the site or the next fill builds
 * the index. `nextName` must start with the first name.
 */
export async function fillDemo(
  ctx: Ctx,
  total: number,
  onProgress: (done: number, total: number) => void,
  nextName: () => InventedDocument = documentNames(SEED),
): Promise<{ added: number; total: number }> {
  const existing = await countDocuments(ctx.db);
  const missing = total - existing;
  if (missing <= 0) {
    await buildIndex(ctx);
    return { added: 0, total: existing };
  }
  const packFiles = await readPackFiles(ctx.db);
  // Skips the names of the existing documents, so that two runs give the same documents as one.
  for (let skipped = 0; skipped < existing; skipped++) nextName();
  const random = createRandom(SEED + existing);
  const isLarge = missing >= REBUILD_INDEX_FROM;
  if (isLarge) await ctx.db.execute(sql`drop index if exists search_entries_tokens`);
  try {
    for (let added = 0; added < missing;) {
      const facts = Array.from({ length: Math.min(BATCH, missing - added) }, nextName);
      await insertBatch(ctx, packFiles, random, facts);
      added += facts.length;
      onProgress(existing + added, total);
    }
  } finally {
    await buildIndex(ctx);
  }
  await ctx.db.execute(sql`analyze documents, search_entries`);
  return { added: missing, total };
}

type PackFiles = { all: PackFile[]; byIndustry: Map<string, PackFile[]> };
type PackFile = { id: number; fileType: FileType; industry: string | null };

/** Returns the files to share, by the industry that they were made for, so that covers suit the names. */
async function readPackFiles(db: Db): Promise<PackFiles> {
  const all = await rowsOf<PackFile>(
    db,
    sql`select distinct on (f.id) f.id, f.file_type as "fileType", i.name as industry
      from files f join documents d on d.file_id = f.id left join industries i on i.id = d.industry_id
      where f.state = 'ready' and d.state = 'published' order by f.id, d.id limit 1000`,
  );
  if (all.length === 0) throw new OperatorError('There is no file to share: load the demo library first.', EXIT.data);
  const byIndustry = Map.groupBy(all, (file) => file.industry ?? '');
  return { all, byIndustry };
}

async function insertBatch(ctx: Ctx, packFiles: PackFiles, random: Random, facts: InventedDocument[]): Promise<void> {
  await transact(ctx, async ({ db }) => {
    const labels = new Map<SingleKind, Map<string, number>>();
    for (const kind of SINGLE_KINDS) {
      const names = facts.map((fact) => fact[kind]);
      labels.set(kind, await labelIdsOf(db, kind, names));
    }
    const themes = await labelIdsOf(
      db,
      'theme',
      facts.flatMap((fact) => [...fact.themes]),
    );
    const ids = await takeIds(db, facts.length);
    const rows = facts.map((fact, index) => {
      const file = random.pick(packFiles.byIndustry.get(fact.industry) ?? packFiles.all);
      const downloads = downloadsOf(random);
      const createdAt = new Date(fact.createdAt * 1_000);
      return {
        id: ids[index],
        file_id: file.id,
        name: fact.name,
        keyword: fact.keyword.join(','),
        price_coins: fact.price,
        ...Object.fromEntries(SINGLE_KINDS.map((kind) => [`${kind}_id`, labels.get(kind)?.get(fact[kind]) ?? null])),
        researcher: fact.researcher,
        theme_ids: fact.themes.flatMap((theme) => themes.get(theme) ?? []),
        download_count: downloads,
        recommend_score: recommendScore(createdAt, 0),
        created_at: createdAt.toISOString(),
        tokens: tokensLiteral({
          facts: [],
          name: fact.name,
          keyword: fact.keyword.join(','),
          labels: [fact.organization, fact.industry],
          fileType: file.fileType,
          createdAt,
        }),
      };
    });
    await insertRows(db, JSON.stringify(rows));
  });
}

const LABEL_IDS = SINGLE_KINDS.map((kind) => `${kind}_id`);

/** Inserts documents and their search entries in one statement, because the verbs insert one document at a time. */
async function insertRows(db: Db, rows: string): Promise<void> {
  await db.execute(sql`with given as materialized (
      select * from json_to_recordset(${rows}::json) as r (id bigint, file_id bigint, name text, keyword text, price_coins int,
        ${sql.raw(LABEL_IDS.map((name) => `${name} int`).join(', '))}, researcher text, theme_ids int[], download_count int,
        recommend_score float8, created_at timestamptz, tokens text)
    ), filed as (
      insert into documents (id, file_id, name, keyword, price_coins, ${sql.raw(LABEL_IDS.join(', '))}, researcher,
        theme_ids, state, download_count, recommend_score, created_at, updated_at) overriding system value
      select id, file_id, name, keyword, price_coins, ${sql.raw(LABEL_IDS.join(', '))}, researcher, theme_ids,
        'published', download_count, recommend_score, created_at, created_at from given
    )
    insert into search_entries (document_id, tokens, recommend_score, popularity, ${sql.raw(FACT_NAMES.join(', '))})
    select g.id, g.tokens::tsvector, g.recommend_score, least(g.download_count, 65535), ${factList(documentFactColumns('g', 'f'))}
    from given g join files f on f.id = g.file_id`);
}

async function takeIds(db: Db, count: number): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select nextval(pg_get_serial_sequence('documents', 'id')) as id from generate_series(1, ${count}::int)`,
  );
  return rows.map((row) => row.id);
}

/** Creates the search index unless it exists; a fill that was killed may have dropped it. */
export async function buildIndex(ctx: Pick<Ctx, 'db'>): Promise<void> {
  await ctx.db.transaction(
    async (tx) => {
      await tx.execute(sql`set local maintenance_work_mem = '512MB'`);
      // As in migration 0001, without a pending list, which a reader would sometimes have to process for many writers.
      await tx.execute(
        sql`create index if not exists search_entries_tokens on search_entries using gin (tokens) with (fastupdate = off)`,
      );
    },
    { isUnlimited: true },
  );
}

/** Returns a number of downloads: small for most documents, large for a few. */
function downloadsOf(random: Random): number {
  return Math.max(0, Math.floor(2 / (random.next() + 1e-4) ** 0.8) - 2);
}

async function countDocuments(db: Db): Promise<number> {
  const [row] = await rowsOf<{ total: number }>(db, sql`select count(*) as total from documents`);
  return row?.total ?? 0;
}

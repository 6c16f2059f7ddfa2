import { sql } from 'drizzle-orm';
import { type Db, rowsOf } from '../../../platform/db/client.ts';
import type { LikenessFacts } from '../../rules.ts';

const LIKENESS = sql.raw(`id, name, file_id as "fileId", industry_id as "industryId", type_id as "typeId",
  theme_ids as "themeIds", keyword, recommend_score as "recommendScore"`);

export async function selectLikeness(db: Db, id: number): Promise<LikenessFacts | null> {
  const [row] = await rowsOf<LikenessFacts>(
    db,
    sql`select ${LIKENESS} from documents where id = ${id} and state = 'published'`,
  );
  return row ?? null;
}

/** Selects the published documents of these files. */
export function selectLikenessOfFiles(db: Db, fileIds: number[]): Promise<LikenessFacts[]> {
  if (fileIds.length === 0) return Promise.resolve([]);
  return rowsOf<LikenessFacts>(
    db,
    sql`select ${LIKENESS} from documents where state = 'published'
      and file_id = any(${sql.param(fileIds)}::bigint[]) limit ${fileIds.length * 4}`,
  );
}

/**
 * Selects the recommended documents that share the industry or a theme, at most `each` per industry and theme. The walks use indexes, so
 * that the cost does not grow with the library.
 */
export function selectLikelySimilar(db: Db, self: LikenessFacts, each: number): Promise<LikenessFacts[]> {
  // One query per theme: an overlap of arrays would read every document of a popular theme.
  const walks = [
    sql`(select ${LIKENESS} from documents where state = 'published' and industry_id = ${self.industryId}
      order by recommend_score desc, id desc limit ${each})`,
    ...self.themeIds.slice(0, 4).map(
      (themeId) => sql`(select ${LIKENESS} from (select * from documents where state = 'published'
        order by recommend_score desc, id desc limit ${each * 6}) as recommended
        where theme_ids @> array[${themeId}]::integer[] limit ${each})`,
    ),
    // The most recommended documents fill the places that no similar document takes.
    sql`(select ${LIKENESS} from documents where state = 'published' order by recommend_score desc, id desc limit 16)`,
  ];
  return rowsOf<LikenessFacts>(
    db,
    sql`select distinct on (id) * from (${sql.join(walks, sql` union all `)}) as likely`,
  );
}

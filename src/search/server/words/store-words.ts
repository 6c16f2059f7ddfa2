import { sql } from 'drizzle-orm';
import type { ChartData } from '../../../charts/chart-data.ts';
import { type Db, rowsOf } from '../../../platform/db/client.ts';

export type DocumentTexts = {
  id: number;
  name: string;
  keyword: string;
  organization: string | null;
  industry: string | null;
  themes: string[];
};

/** Selects the texts and labels of up to `limit` published documents after `afterId`, by id. */
export function selectNextDocumentTexts(db: Db, afterId: number, limit: number): Promise<DocumentTexts[]> {
  return rowsOf(
    db,
    sql`select d.id, d.name, d.keyword, o.name as organization, i.name as industry,
        array(select t.name from themes t where t.id = any(d.theme_ids)) as themes
      from documents d left join organizations o on o.id = d.organization_id
        left join industries i on i.id = d.industry_id
      where d.id > ${afterId} and d.state = 'published' order by d.id limit ${limit}`,
  );
}

/** Selects the ids of the `limit` published documents that are recommended most, one for each file. */
export async function selectRecommended(db: Db, limit: number): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select max(id) as id from documents where state = 'published'
      group by file_id order by max(recommend_score) desc limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

/** Selects the text of all pages of each document. */
export async function selectPageTexts(db: Db, ids: number[]): Promise<string[]> {
  const rows = await rowsOf<{ text: string }>(
    db,
    sql`select string_agg(p.text, E'\n' order by p.page_number) as text from documents d join pages p on p.file_id = d.file_id
      where d.id = any(${sql.param(ids)}::bigint[]) group by d.id`,
  );
  return rows.map(({ text }) => text);
}

/** Selects the names and numbers of the charts of each document. */
export function selectChartTexts(db: Db, ids: number[]): Promise<{ name: string; data: ChartData }[]> {
  return rowsOf(
    db,
    sql`select c.name, c.data from documents d join charts c on c.file_id = d.file_id
      where d.id = any(${sql.param(ids)}::bigint[]) order by c.id`,
  );
}

export async function hasMoreDocuments(db: Db, than: number): Promise<boolean> {
  const some = await rowsOf(db, sql`select 1 as one from documents where state = 'published' limit 1 offset ${than}`);
  return some.length > 0;
}

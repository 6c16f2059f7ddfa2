import { sql } from 'drizzle-orm';
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

export async function hasMoreDocuments(db: Db, than: number): Promise<boolean> {
  const some = await rowsOf(db, sql`select 1 as one from documents where state = 'published' limit 1 offset ${than}`);
  return some.length > 0;
}

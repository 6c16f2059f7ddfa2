import { sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { rowsOf } from '../../platform/db/client.ts';

/** Published ids in (afterId, untilId] with the Shanghai day of their last change, for the sitemap; and the newest id of all. */
export async function listPublishedIds(
  ctx: Ctx,
  range: { afterId: number; untilId: number },
): Promise<{ rows: { id: number; day: string }[]; lastId: number }> {
  const rows = await rowsOf<{ id: number; day: string }>(
    ctx.db,
    sql`select id, to_char(updated_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day from documents
      where state = 'published' and id > ${range.afterId} and id <= ${range.untilId} order by id limit 50000`,
  );
  const [last] = await rowsOf<{ id: number | null }>(
    ctx.db,
    sql`select max(id) as id from documents where state = 'published'`,
  );
  return { rows, lastId: last?.id ?? 0 };
}

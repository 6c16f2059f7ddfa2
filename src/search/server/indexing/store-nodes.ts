import { sql } from 'drizzle-orm';
import { type Db, rowsOf } from '../../../platform/db/client.ts';

/** A node that was not seen for longer has ended. */
const GONE_AFTER = sql`interval '10 seconds'`;

/** Selects the transaction that last asked every node to rebuild its index, as decimal text; null when there was none. */
export async function selectRebuildMark(db: Db): Promise<string | null> {
  const [row] = await rowsOf<{ mark: string }>(
    db,
    sql`select changed_in::text as mark from search_changes where document_id = 0`,
  );
  return row?.mark ?? null;
}

/** Records that `node` is running, and which rebuild request its index includes. */
export async function upsertNode(db: Db, node: string, rebuiltIn: string | null): Promise<void> {
  await db.execute(sql`insert into search_nodes (node, rebuilt_in) values (${node}, ${rebuiltIn}::xid8)
    on conflict (node) do update set seen_at = now(), rebuilt_in = excluded.rebuilt_in`);
}

/** Deletes the node, and nodes that ended without deleting themselves. */
export async function deleteNode(db: Db, node: string): Promise<void> {
  await db.execute(sql`delete from search_nodes where node = ${node} or seen_at < now() - interval '1 day'`);
}

export type NodesBuilt = { nodes: number; built: number };

/** Counts the running nodes, and those whose index includes the rebuild request of transaction `mark`. */
export async function countBuiltNodes(db: Db, mark: string): Promise<NodesBuilt> {
  const [row] = await rowsOf<NodesBuilt>(
    db,
    sql`select count(*) as nodes, count(*) filter (where rebuilt_in >= ${mark}::xid8) as built
      from search_nodes where seen_at > now() - ${GONE_AFTER}`,
  );
  return row ?? { nodes: 0, built: 0 };
}

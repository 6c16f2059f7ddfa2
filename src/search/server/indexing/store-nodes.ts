import { sql } from 'drizzle-orm';
import { type Db, rowsOf } from '../../../platform/db/client.ts';

/** A node that was not heard of for longer is gone. */
const GONE_AFTER = sql`interval '10 seconds'`;

/** The transaction that last asked every node to build its index anew, as a decimal text; null: nobody ever did. */
export async function selectRebuildMark(db: Db): Promise<string | null> {
  const [row] = await rowsOf<{ mark: string }>(
    db,
    sql`select changed_in::text as mark from search_changes where document_id = 0`,
  );
  return row?.mark ?? null;
}

/** Says that `node` is here, and which request to build anew its index holds. */
export async function upsertNode(db: Db, node: string, rebuiltIn: string | null): Promise<void> {
  await db.execute(sql`insert into search_nodes (node, rebuilt_in) values (${node}, ${rebuiltIn}::xid8)
    on conflict (node) do update set seen_at = now(), rebuilt_in = excluded.rebuilt_in`);
}

/** Takes the node off the list, with those that ended without saying so. */
export async function deleteNode(db: Db, node: string): Promise<void> {
  await db.execute(sql`delete from search_nodes where node = ${node} or seen_at < now() - interval '1 day'`);
}

export type NodesBuilt = { nodes: number; built: number };

/** Of the nodes that are here, how many hold what was asked for in transaction `mark`. */
export async function countBuiltNodes(db: Db, mark: string): Promise<NodesBuilt> {
  const [row] = await rowsOf<NodesBuilt>(
    db,
    sql`select count(*) as nodes, count(*) filter (where rebuilt_in >= ${mark}::xid8) as built
      from search_nodes where seen_at > now() - ${GONE_AFTER}`,
  );
  return row ?? { nodes: 0, built: 0 };
}

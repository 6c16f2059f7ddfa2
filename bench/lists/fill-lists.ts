import { sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../src/platform/db/client.ts';

/** Members beside the one whose lists are measured: without their rows a scan of a whole table would be the right plan. */
const OTHERS = 10;

/**
 * Gives the member `userId`, and ten others, `rows` favourites, reads, downloads, coin records, orders and invitees each. The rows
 * lie in every list in another order than in the table, as they do after years. `documentId` is a published document, whose file the
 * made documents share.
 */
export async function fillLists(db: Db, member: { userId: number; documentId: number; rows: number }): Promise<void> {
  const { userId, documentId, rows } = member;
  const run = (statement: ReturnType<typeof sql>) => db.execute(statement);
  await run(sql`
    insert into documents (file_id, name, state)
    select file_id, 'document ' || n, 'published' from documents, generate_series(1, ${rows}::integer) n where id = ${documentId}`);
  await run(sql`insert into users (nickname) select 'member ' || n from generate_series(1, ${OTHERS}::integer) n`);
  await run(sql`create temporary table keepers as
    select id, row_number() over (order by id) as place from users where nickname like 'member %' or id = ${userId}`);
  await run(sql`create temporary table kept as
    select id, row_number() over (order by md5(id::text)) as place from documents where name like 'document %'`);
  await run(sql`
    insert into favorites (user_id, document_id, created_at)
    select u.id, d.id, now() - d.place * interval '1 minute' from kept d, keepers u order by d.place, u.id`);
  await run(sql`
    insert into reads (user_id, document_id, month, first_read_at, last_read_at)
    select u.id, d.id, month, at, at
    from kept d, keepers u, (values ('2026-09', 60), ('2026-10', 30)) as months (month, days),
      lateral (select now() - days * interval '1 day' - d.place * interval '1 minute' as at) as times
    order by d.place, u.id`);
  await run(sql`
    insert into reading_positions (user_id, document_id, page, read_at)
    select u.id, d.id, 3, now() from kept d, keepers u order by d.place, u.id`);
  await run(sql`
    insert into entitlements (user_id, document_id, method, coins, created_at)
    select u.id, d.id, 'coin', 5, now() - d.place * interval '1 minute' from kept d, keepers u order by d.place, u.id`);
  await run(sql`insert into coin_accounts (user_id, balance) select id, 0 from keepers on conflict do nothing`);
  await run(sql`
    insert into ledger_entries (txn_id, user_id, amount, kind, ref, created_at)
    select gen_random_uuid(), u.id, -5, 'download', u.id || '/' || d.id, now() - d.place * interval '1 minute'
    from kept d, keepers u order by d.place, u.id`);
  await run(sql`
    insert into orders (out_trade_no, user_id, channel, item_id, kind, description, days, coins, price_fen, status, notify_url,
      created_at, expires_at, transaction_id, paid_fen, paid_currency, paid_at, fulfilled_at)
    select 'M' || to_char(at, 'YYYYMMDDHH24MISS') || lpad(u.place::text, 2, '0') || lpad(d.place::text, 8, '0'), u.id, 'wechat',
      (select min(id) from price_items where kind = 'coin'), 'coin', 'coins', 0, 50, 500, 'fulfilled', 'http://ceku.test/notify',
      at, at + interval '30 minutes', 'T' || u.id || '-' || d.id, 500, 'CNY', at, at
    from kept d, keepers u, lateral (select now() - d.place * interval '1 minute' as at) as times order by d.place, u.id`);
  await run(sql`
    insert into users (nickname)
    select 'friend ' || n from generate_series(1, ${rows * (OTHERS + 1)}::integer) n`);
  await run(sql`
    insert into invites (invitee_id, inviter_id, created_at, address_index)
    select f.id, u.id, now() - f.place * interval '1 minute', 'x'
    from (select id, row_number() over (order by md5(id::text)) as place from users where nickname like 'friend %') f
    join keepers u on u.place = 1 + f.place % ${OTHERS + 1} order by f.place`);
  await run(sql`vacuum analyze`);
  const [found] = await rowsOf<{ rows: number }>(
    db,
    sql`select count(*)::integer as rows from favorites where user_id = ${userId}`,
  );
  if (found?.rows !== rows) throw new Error(`the member has ${found?.rows} favourites instead of ${rows}`);
}

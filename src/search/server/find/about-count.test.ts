import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { documents } from '../../../library/server/tables.ts';
import { expectOk } from '../../../protocol/call.ts';
import { searchDocuments } from '../../contract.ts';
import { indexDocuments } from '../indexing/index-documents.ts';

/** All of them say 灯组 on a page, half of them 运营商 and half 运营 and 营商 on two pages. */
const DECKS = 400;

let app: TestApp;
const found = async (input: object) => expectOk(await app.call(searchDocuments, input));
beforeAll(async () => {
  app = await openTestApp({ hasEngine: true });
  await app.ctx.db.execute(sql`with made as (
      insert into files (sha256, media_key, file_type, size_bytes, original_name, state, page_count)
        select md5(n::text) || md5(n::text), lpad(n::text, 22, 'k'), 'pptx', 1, 'deck', 'ready', 2 from generate_series(1, ${DECKS}::int) n
        returning id
    ), named as (
      insert into documents (file_id, name, state) select id, '方案' || id, 'published' from made
    )
    insert into pages (file_id, page_number, text)
      select id, page, case when page = 1 then '灯组' || case when id % 2 = 0 then '与运营商' else '与运营' end
        when id % 2 = 0 then '谢谢' else '营商环境' end
      from made, generate_series(1, 2) page`);
  const made = await app.ctx.db.select({ id: documents.id }).from(documents);
  await indexDocuments(
    app.ctx,
    made.map(({ id }) => id),
  );
  await app.refreshSearch();
});
afterAll(() => app.close());

it('says about how many decks there are when more contain the words than are listed', async () => {
  const all = await found({ search_key: '灯组' });
  expect(all).toMatchObject({ total_count: 300, full_count: 300, is_more: 1, about_count: DECKS });
  const filtered = await found({ search_key: '灯组', filetype: 1 });
  expect(filtered).toMatchObject({ is_more: 1, about_count: 0 });
});

it('takes the decks that were not checked to hold a word as often as the checked ones', async () => {
  const { about_count, full_count } = await found({ search_key: '运营商', exact: 1 });
  expect(full_count).toBeLessThan(300);
  expect(about_count).toBeGreaterThan(DECKS * 0.3);
  expect(about_count).toBeLessThan(DECKS * 0.7);
});

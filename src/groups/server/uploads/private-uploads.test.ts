import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person } from '../../../../tests/people.ts';
import { addPublished } from '../../../../tests/published-document.ts';
import { uploading } from '../../../../tests/sent-upload.ts';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { buildApi } from '../../../app.ts';
import { expectOk } from '../../../protocol/call.ts';
import { searchDocuments, suggestWords } from '../../../search/contract.ts';
import { serveSitemap } from '../../../site/server/sitemap.ts';
import { uploadTaskId } from '../../rules-uploads.ts';
import { findGroupList, parseGroupList, setGroupList } from '../group-list.ts';

let app: TestApp;
let gid: number;
let fid: number;
let uploadId: number;
let stranger: Person;

/** Stands in the name and in the text of the file, and nowhere else. */
const WORD = 'Zhuanshumimi';

beforeAll(async () => {
  app = await openTestApp({ hasEngine: true });
  await setGroupList(app.ctx, parseGroupList('groups:\n  - name: 甲社群\n  - name: 乙社群'));
  const [first = 0, second = 0] = (await findGroupList(app.ctx)).map(({ id }) => id ?? 0);
  gid = second;
  const owner = await addMemberOf(first);
  stranger = await addMemberOf(second);
  ({ id: uploadId } = await shelve(owner, first, smallPdf(WORD, 2), { name: `${WORD}.pdf` }));
  fid = (await addPublished(app, { name: '公开的年会方案' })).id;
  await app.refreshSearch();
});
afterAll(() => app.close());
const { addMemberOf, shelve } = uploading(() => app);

it('no search and no suggestion knows a file of a group', async () => {
  for (const exact of [0, 1]) {
    const answer = expectOk(await app.call(searchDocuments, { search_key: WORD, exact }, stranger.token));
    expect([answer.total_count, answer.item_list]).toEqual([0, []]);
  }
  expect(expectOk(await app.call(suggestWords, { prefix: WORD.slice(0, 6) })).items).toEqual([]);
});

it('no call tells a member of another group, or a visitor, of it', async () => {
  const input = { id: uploadId, fid, gid, ids: [uploadId], task_id: uploadTaskId(uploadId), page: 1 };
  const calls = buildApi(app.ctx).endpoints.filter(({ path }) => !/logout|delete|remove|revoke|bind/i.test(path));
  expect(calls.length).toBeGreaterThan(60);
  for (const { path, method } of calls) {
    for (const headers of [{ token: stranger.token }, { token: '' }]) {
      const isPost = method === 'POST';
      const body = isPost ? JSON.stringify(input) : undefined;
      const response = await app.fetch(isPost ? path : `${path}?fid=${fid}&id=${uploadId}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body && { body }),
      });
      expect(await response.text(), path).not.toContain(WORD);
    }
  }
});

it('no sitemap lists it', async () => {
  for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap-1.xml']) {
    const response = await serveSitemap(app.ctx, new Request(`http://ceku.test${path}`));
    const text = (await response?.text()) ?? '';
    expect(text).not.toContain(WORD);
    expect(text).not.toContain('upload');
  }
});

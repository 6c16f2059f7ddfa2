import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { typeCommand } from '../../../tests/type-command.ts';
import { newAddress } from '../../../tests/visitor.ts';
import { listDocuments } from '../../library/contract.ts';
import { findDocument, listPublishedIds } from '../../library/server/catalogue.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { expectOk } from '../../protocol/call.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { getGuestDetail } from '../../reading/contract.ts';
import { searchDocuments } from '../../search/contract.ts';
import { indexDocuments } from '../../search/server/indexing/index-documents.ts';
import { reportInfringement } from '../contract.ts';
import { STATEMENT } from '../rules.ts';
import { findReport } from './infringements.ts';
import { takedownCommands } from './takedown-commands.ts';
import { privacyCommands } from './privacy-commands.ts';
import { acceptReport, restoreReport } from './takedowns.ts';

let app: TestApp;
let document: number;
let name: string;
let count = 0;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.offsetMs = 0;
  // Equal searches share an answer for a moment.
  name = `灯会游园第${(count += 1)}场`;
  document = (await addPublished(app, { name })).id;
});

const ceku = (...words: string[]) =>
  typeCommand((program) => {
    takedownCommands(program, (work) => work(app.ctx));
    privacyCommands(program, (work) => work(app.ctx));
  }, words);

async function addReport(): Promise<string> {
  const body = {
    doc_id: document,
    type: 'copyright',
    owner: '某某文化公司',
    contact: '010-12345678，北京市朝阳区某某路 1 号',
    proof: '第 3 至 8 页是本公司的设计稿\nQS00000000-FAKE  accepted\u001b[2J',
    statement: STATEMENT,
  };
  return expectOk(await app.call(reportInfringement, body)).receipt_no;
}
const stateOf = async (id = document) => {
  const found = await findDocument(app.ctx, id);
  return [found?.state, found?.hiddenReason];
};

/** Returns where the document is seen: its page, the list, the search, the sitemap. */
async function seenIn() {
  const detail = await app.call(getGuestDetail, { fid: document });
  const list = expectOk(await app.call(listDocuments, {})).files;
  const found = expectOk(await app.call(searchDocuments, { search_key: name })).item_list;
  const published = await listPublishedIds(app.ctx, { afterId: 0, untilId: 1_000 });
  const ids = (items: readonly { id: number }[]) => items.some(({ id }) => id === document);
  return {
    page: detail.code === 0 ? 'shown' : detail.data,
    list: ids(list),
    search: ids(found),
    sitemap: ids(published),
  };
}
const EVERYWHERE = { page: 'shown', list: true, search: true, sitemap: true };
const NOWHERE = { page: { gone: 1 }, list: false, search: false, sitemap: false };

describe('ceku takedown', () => {
  it('takes a document down at once, records the counter-notice, and restores it after fifteen days', async () => {
    const receipt = await addReport();
    expect(await seenIn()).toEqual(EVERYWHERE);
    expect((await ceku('takedown', 'list')).out).toContain(`${receipt}  received`);
    const shown = (await ceku('takedown', 'show', receipt.toLowerCase())).out;
    expect(shown).toContain('    010-12345678，北京市朝阳区某某路 1 号\n');
    // No line of the sender stands at the margin, and no control character reaches the terminal.
    expect(shown).toMatch(/^ {4}QS00000000-FAKE {2}accepted/m);
    expect(shown).not.toContain('\u001b');

    expect((await ceku('takedown', 'accept', receipt)).out).toContain(`Document ${document} is taken down.`);
    expect(await seenIn()).toEqual(NOWHERE);
    expect(await stateOf()).toEqual(['hidden', 'copyright']);
    expect(await ceku('takedown', 'accept', receipt)).toMatchObject({
      code: 65,
      err: expect.stringMatching(/is accepted/),
    });

    expect(await ceku('takedown', 'restore', receipt, '--because', 'counter-notice')).toMatchObject({ code: 65 });
    expect((await ceku('takedown', 'counter', receipt, '--text', '已获授权')).out).toContain(
      '--because counter-notice',
    );
    expect((await ceku('takedown', 'list')).out).toContain(`${receipt}  countered`);
    app.clock.offsetMs = 15 * DAY_MS;
    const early = await ceku('takedown', 'restore', receipt, '--because', 'counter-notice');
    expect(early).toMatchObject({ code: 65, err: expect.stringMatching(/may still sue/) });
    expect(await seenIn()).toEqual(NOWHERE);
    app.clock.offsetMs = 16 * DAY_MS;
    const done = await ceku('takedown', 'restore', receipt, '--because', 'counter-notice', '--json');
    expect(JSON.parse(done.out)).toEqual({ receipt, state: 'restored', documentId: document, document: 'published' });
    // As the job of documentsChanged does, which no worker runs here.
    await indexDocuments(app.ctx, [document]);
    expect(await seenIn()).toEqual(EVERYWHERE);
    expect((await ceku('takedown', 'list')).out).not.toContain(receipt);
    expect((await ceku('takedown', 'list', '--all')).out).toContain(`${receipt}  restored`);
  });

  it('keeps the document down when the sender answers the counter-notice by a suit', async () => {
    const receipt = await addReport();
    await acceptReport(app.ctx, receipt);
    expect(await ceku('takedown', 'sued', receipt, '--text', 'x')).toMatchObject({ code: 65 });
    app.clock.offsetMs = Date.parse('2026-12-01T10:00:00+08:00') - Date.now();
    await ceku('takedown', 'counter', receipt, '--text', '已获授权');
    expect((await ceku('takedown', 'list')).out).toContain('may be restored from 2026-12-17 on');
    app.clock.offsetMs += 15.5 * DAY_MS;
    const early = await ceku('takedown', 'restore', receipt, '--because', 'counter-notice');
    expect(early).toMatchObject({ code: 65, err: expect.stringMatching(/from 2026-12-17 on/) });
    app.clock.offsetMs -= 15.5 * DAY_MS;
    expect((await ceku('takedown', 'sued', receipt, '--text', '（2026）京 0105 民初 1 号')).out).toContain(
      'stays down',
    );
    const waiting = (await ceku('takedown', 'list')).out;
    expect(waiting).not.toContain(receipt);
    app.clock.offsetMs += 16 * DAY_MS;
    const restored = await ceku('takedown', 'restore', receipt, '--because', 'counter-notice');
    expect(restored).toMatchObject({ code: 65, err: expect.stringMatching(/sued.*--because withdrawn or mistake/) });
    const again = await ceku('takedown', 'counter', receipt, '--text', '又一次声明');
    expect(again).toMatchObject({ code: 65, err: expect.stringMatching(/sued/) });
    expect((await ceku('takedown', 'list', '--all')).out).toContain(`${receipt}  accepted, sued, received`);
    expect(await stateOf()).toEqual(['hidden', 'copyright']);
    const shown = (await ceku('takedown', 'show', receipt)).out;
    expect(shown).toContain('counter-notice of 2026-12-01:\n    已获授权');
    expect(shown).toContain('complaint or suit, recorded on 2026-12-01:\n    （2026）京 0105 民初 1 号');
    expect(await restoreReport(app.ctx, receipt, 'withdrawn')).toMatchObject({ state: 'published' });
  });

  it('rejects a report with a reason and leaves the document', async () => {
    const receipt = await addReport();
    expect(await ceku('takedown', 'reject', receipt)).toMatchObject({ code: 2 });
    expect((await ceku('takedown', 'reject', receipt, '--reason', '缺少权属证明')).code).toBe(0);
    expect(await findReport(app.ctx, receipt)).toMatchObject({ state: 'rejected', reason: '缺少权属证明' });
    expect(await seenIn()).toEqual(EVERYWHERE);
    for (const words of [['accept'], ['counter', '--text', 'x'], ['restore', '--because', 'mistake']])
      expect(await ceku('takedown', ...words.slice(0, 1), receipt, ...words.slice(1)), words[0]).toMatchObject({
        code: 65,
      });
  });

  it.each([
    [['takedown', 'show', 'QS1'], 65],
    [['takedown', 'accept', 'QS1'], 65],
    [['takedown', 'accept', '7'], 2],
    [['takedown', 'restore', 'QS1'], 2],
    [['takedown', 'restore', 'QS1', '--because', 'x'], 2],
    [['privacy', 'show', 'YS1'], 65],
    [['privacy', 'answer', 'YS1', '--text', 'x'], 65],
    [['privacy', 'answer', 'YS1', '--text', ' '], 2],
    [['privacy', 'list', '--due', '--all'], 2],
  ])('%j ends with %i', async (words, code) => {
    expect(await ceku(...words)).toMatchObject({ code, out: '' });
  });
});

it('restores a document on the whole day that the list names, from its first minute', async () => {
  app.clock.offsetMs = Date.parse('2026-12-01T10:00:00+08:00') - Date.now();
  const receipt = await addReport();
  await acceptReport(app.ctx, receipt);
  const countered = (await ceku('takedown', 'counter', receipt, '--text', '已获授权')).out;
  expect(countered).toContain('from 2026-12-17 on');
  app.clock.offsetMs = Date.parse('2026-12-17T00:00:00+08:00') - Date.now();
  expect(await ceku('takedown', 'restore', receipt, '--because', 'counter-notice')).toMatchObject({ code: 0 });
});

it('the list says how many working days a new report has waited', async () => {
  app.clock.offsetMs = Date.parse('2026-11-20T10:00:00+08:00') - Date.now();
  const receipt = await addReport();
  expect((await ceku('takedown', 'list')).out).not.toContain('WAITS');
  app.clock.offsetMs += 4 * DAY_MS;
  expect((await ceku('takedown', 'list')).out).toContain('WAITS for 2 working days');
  await acceptReport(app.ctx, receipt);
  expect((await ceku('takedown', 'list', '--all')).out).not.toContain('WAITS');
});

describe('two reports about one document', () => {
  it('keep it down until both are restored', async () => {
    const [first, second] = [await addReport(), await addReport()];
    await acceptReport(app.ctx, first);
    await acceptReport(app.ctx, second);
    expect(await restoreReport(app.ctx, first, 'withdrawn')).toMatchObject({ state: 'held' });
    expect(await stateOf()).toEqual(['hidden', 'copyright']);
    expect(await restoreReport(app.ctx, second, 'mistake')).toMatchObject({ state: 'published' });
    expect(await stateOf()).toEqual(['published', null]);
  });

  it('give back the document as the operator had hidden it', async () => {
    const [first, second] = [await addReport(), await addReport()];
    await hideDocument(app.ctx, document, 'operator');
    await acceptReport(app.ctx, first);
    await acceptReport(app.ctx, second);
    await restoreReport(app.ctx, first, 'withdrawn');
    expect(await restoreReport(app.ctx, second, 'withdrawn')).toMatchObject({ state: 'hidden' });
    expect(await stateOf()).toEqual(['hidden', 'operator']);
  });

  it('leave down what the operator hid for another reason meanwhile', async () => {
    const [first, second] = [await addReport(), await addReport()];
    await acceptReport(app.ctx, first);
    await hideDocument(app.ctx, document, 'illegal');
    await acceptReport(app.ctx, second);
    expect(await stateOf()).toEqual(['hidden', 'illegal']);
    await restoreReport(app.ctx, second, 'withdrawn');
    expect(await restoreReport(app.ctx, first, 'withdrawn')).toMatchObject({ state: 'hidden' });
    expect(await stateOf()).toEqual(['hidden', 'illegal']);
  });

  it('that are decided at once are decided one after the other', async () => {
    for (let round = 0; round < 5; round++) {
      document = (await addPublished(app, { name: `灯会 ${round}` })).id;
      const [first, second] = [await addReport(), await addReport()];
      const accepted = await Promise.all([first, second, first, second].map((no) => acceptReport(app.ctx, no)));
      expect(accepted.filter(({ outcome }) => outcome === 'done')).toHaveLength(2);
      const restored = await Promise.all([first, second, first].map((no) => restoreReport(app.ctx, no, 'withdrawn')));
      expect(restored.filter(({ outcome }) => outcome === 'done')).toHaveLength(2);
      expect(await stateOf()).toEqual(['published', null]);
    }
  });
});

describe('ceku privacy', () => {
  it('shows the clock of each request, and ends it with an answer', async () => {
    app.clock.offsetMs = Date.parse('2026-11-24T01:00:00+08:00') - Date.now();
    const body = JSON.stringify({ type: 'delete', contact: 'reader@example.com', content: '请删除我的信息' });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    const { data } = await (await app.fetch('/api/privacy/request', init, newAddress())).json();
    const receipt: string = data.receipt_no;
    expect((await ceku('privacy', 'list')).out).toContain(
      `${receipt}  due 2026-12-15 (15 working days left)  删除我的信息\n`,
    );
    expect((await ceku('privacy', 'list', '--due')).out).toBe('0 due\n');
    app.clock.offsetMs += 21 * DAY_MS;
    expect((await ceku('privacy', 'list', '--due')).out).toContain('(today)');
    app.clock.offsetMs += DAY_MS;
    expect((await ceku('privacy', 'list', '--due')).out).toContain(`${receipt}  OVERDUE since 2026-12-15`);
    expect((await ceku('privacy', 'show', receipt)).out).toContain('    请删除我的信息');
    expect((await ceku('privacy', 'answer', receipt, '--text', '已删除')).out).toContain('is answered');
    expect((await ceku('privacy', 'list')).out).toBe('0 waiting\n');
    expect((await ceku('privacy', 'list', '--all')).out).toContain(`${receipt}  answered on 2026-12-16`);
  });

  it('--all counts the requests beyond those that it shows', async () => {
    const body = JSON.stringify({ type: 'delete', contact: 'reader@example.com', content: '请删除我的信息' });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    await app.fetch('/api/privacy/request', init, newAddress());
    await app.ctx.db.execute(sql`
      insert into privacy_requests (receipt_no, kind, contact_sealed, content, due_on, received_at)
      select 'YS-' || n, kind, contact_sealed, content, due_on, received_at from privacy_requests, generate_series(1, 500) n
      where id = (select min(id) from privacy_requests)`);
    expect((await ceku('privacy', 'list', '--all')).out).toMatch(/^50[12] requests; the 500 latest are shown$/m);
  });
});

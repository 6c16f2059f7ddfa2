import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { randomBytes } from 'node:crypto';
import { addPerson } from '../../../tests/people.ts';
import { typeCommand } from '../../../tests/type-command.ts';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { newAddress } from '../../../tests/visitor.ts';
import { eraseUser } from '../../accounts/server/privacy/delete-account.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { createVault, WrongKey } from '../../platform/vault.ts';
import { PERSONAL_DATA } from '../../slices.ts';
import { sql } from 'drizzle-orm';
import { STATEMENT } from '../rules.ts';
import { findReport, listReports } from './infringements.ts';
import { answerRequest, findRequest, legalPersonalData, listRequests } from './privacy-requests.ts';
import { sweepLegal } from './sweep.ts';
import { refuseOtherSecret } from './receipts.ts';
import { acceptReport, rejectReport } from './takedowns.ts';
import { takedownCommands } from './takedown-commands.ts';
import { logWaiting, measureLegal } from './waiting.ts';

let app: TestApp;
let document: number;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.offsetMs = 0;
  document = (await addPublished(app, { name: '中秋<b>暖场</b>方案' })).id;
});

const REPORT = {
  type: 'copyright',
  owner: '某某文化公司',
  contact: '010-12345678，北京市朝阳区某某路 1 号',
  proof: '第 3 至 8 页是本公司的设计稿，登记号 2024-F-0001',
  statement: STATEMENT,
};
const REQUEST = { type: 'access', contact: 'reader@example.com', content: '请提供我的全部信息' };

type Answer = { code: number; message: string; data: Record<string, unknown> & { receipt_no: string } };
async function send(path: string, body: unknown, { ip = newAddress(), token = '' } = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(token && { token }) };
  const response = await app.fetch(path, { method: 'POST', body: JSON.stringify(body), headers }, ip);
  expect(response.status).toBe(200);
  // Safe: every answer is an envelope; `receipt_no` is read after a success alone.
  return (await response.json()) as Answer;
}
let networks = 0;
const newNetwork = () => `2001:db8:${(++networks).toString(16)}`;
const report = (changed: object = {}, of = {}) =>
  send('/api/infringement/report', { ...REPORT, doc_id: document, ...changed }, of);
const ask = (changed: object = {}, of = {}) => send('/api/privacy/request', { ...REQUEST, ...changed }, of);
/** The wait that a refusal names, as far as the clock of this test goes on meanwhile. */
const isAnHour = (seconds: number) => seconds > 3_540 && seconds <= 3_600;
const isADay = (seconds: number) => seconds > 86_340 && seconds <= 86_400;

describe('a report of infringement', () => {
  it('is taken from everybody, by id or address, and answered by a receipt', async () => {
    const { code, data } = await report();
    expect([code, data]).toEqual([
      0,
      {
        receipt_no: expect.stringMatching(/^QS\d{8}-[2-9A-Z]{8}$/),
        create_time: expect.any(Number),
        doc_name: '中秋<b>暖场</b>方案',
      },
    ]);
    const second = await report({ doc_id: undefined, doc_url: `http://ceku.test/detail/${document}?invite=3` });
    expect(await findReport(app.ctx, second.data.receipt_no)).toMatchObject({
      documentId: document,
      state: 'received',
      contact: REPORT.contact,
      documentState: 'published',
    });
    const waiting = (await listReports(app.ctx, { isEvery: false })).reports.map(({ receiptNo }) => receiptNo);
    expect(waiting.slice(-2)).toEqual([data.receipt_no, second.data.receipt_no]);
  });

  it.each<[object, string]>([
    [{ doc_id: 0 }, 'doc_url'],
    [{ doc_id: 999_999 }, 'doc_url'],
    [{ doc_id: '9e99' }, 'doc_url'],
    [{ doc_url: '/detail/abc', doc_id: null }, 'doc_url'],
    [{ doc_url: 'https://other.example.com/detail/1', doc_id: null }, 'doc_url'],
    [{ type: '__proto__' }, 'type'],
    [{ type: 7 }, 'type'],
    [{ owner: '' }, 'owner'],
    [{ owner: ['x'] }, 'owner'],
    [{ owner: '\u0000\u200b' }, 'owner'],
    [{ contact: '找我' }, 'contact'],
    [{ proof: 'x'.repeat(20_001) }, 'proof'],
    [{ proof: undefined }, 'proof'],
    [{ statement: null }, 'statement'],
  ])('%j is refused at its field, in Chinese', async (changed, field) => {
    const { code, message, data } = await report(changed);
    expect([code, data]).toEqual([40, { field }]);
    expect(message).toMatch(/[\u4e00-\u9fff]/);
  });

  it('names a document by an address of this site alone', async () => {
    const by = (doc_url: string) => report({ doc_id: undefined, doc_url });
    expect(await by(`https://other.example.com/detail/${document}`)).toMatchObject({
      code: 40,
      message: '这不是本站的网址，请填写本站方案详情页的网址，例如 /detail/123',
      data: { field: 'doc_url' },
    });
    for (const own of [`/detail/${document}`, `ceku.test/detail/${document}`, `${document}`])
      expect((await by(own)).code).toBe(0);
  });

  it('about a document that is down, or was never published, is refused', async () => {
    await hideDocument(app.ctx, document, 'operator');
    expect(await report()).toMatchObject({ code: 60, message: expect.stringContaining('已经下架') });
    const { id } = await addPublished(app, { isPublished: false });
    expect(await report({ doc_id: id })).toMatchObject({ code: 40 });
  });

  it('and a privacy request are limited to twenty a day from one address', async () => {
    for (const one of [report, ask]) {
      const ip = newAddress();
      expect((await one({}, { ip })).code).toBe(0);
      app.clock.offsetMs += DAY_MS - 3_600_000;
      for (let count = 1; count < 20; count++) expect((await one({}, { ip })).code).toBe(0);
      const refused = await one({}, { ip });
      expect(refused).toMatchObject({ code: 41, data: { retry_after: expect.toSatisfy(isAnHour) } });
      expect((await one()).code).toBe(0);
      app.clock.offsetMs += 3_601_000;
      expect((await one({}, { ip })).code).toBe(0);
    }
  });

  it('and a privacy request are limited to sixty a day from one IPv6 network, which one customer can rent', async () => {
    for (const one of [report, ask]) {
      const network = newNetwork();
      const from = (household: number) => ({ ip: `${network}:${household.toString(16)}::1` });
      for (let count = 0; count < 60; count++) expect((await one({}, from(count))).code).toBe(0);
      expect(await one({}, from(60))).toMatchObject({ code: 41, data: { retry_after: expect.toSatisfy(isADay) } });
      expect((await one({}, { ip: `${newNetwork()}::1` })).code).toBe(0);
      app.clock.offsetMs += DAY_MS + 1_000;
      expect((await one({}, from(61))).code).toBe(0);
    }
  });

  it('that is older than five hundred others stays in the list of what waits, and all are counted', async () => {
    const before = await listReports(app.ctx, { isEvery: false });
    const first = (await report()).data.receipt_no;
    await app.ctx.db.execute(sql`insert into infringement_reports
      (receipt_no, document_id, kind, owner, contact_sealed, proof, statement, received_at)
      select 'QS-flood-' || n, document_id, kind, owner, contact_sealed, proof, statement, received_at
      from infringement_reports, generate_series(1, 600) n where receipt_no = ${first}`);
    const { reports, total } = await listReports(app.ctx, { isEvery: false });
    expect([reports.length, total]).toEqual([500, before.total + 601]);
    expect(reports.map(({ receiptNo }) => receiptNo)).toContain(first);
    const { out } = await typeCommand(
      (program) => takedownCommands(program, (work) => work(app.ctx)),
      ['takedown', 'list'],
    );
    expect(out).toContain(`${before.total + 601} waiting; the 500 oldest are shown`);
    const metrics = await measureLegal(app.ctx);
    expect(metrics.find(({ name }) => name === 'ceku_infringement_reports')?.values).toEqual([
      { value: before.total + 601 },
    ]);
    await app.ctx.db.execute(sql`delete from infringement_reports where receipt_no like 'QS-flood-%'`);
  });

  it('is limited to a few a minute', async () => {
    const limited = await openTestApp({ isRateLimited: true });
    const body = JSON.stringify(REPORT);
    const codes = [];
    for (let count = 0; count < 7; count++) {
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      codes.push((await (await limited.fetch('/api/infringement/report', init, '203.0.113.9')).json()).code);
    }
    expect(codes).toEqual([40, 40, 40, 40, 40, 40, 41]);
    await limited.close();
  });

  it('is stored without its contact and its address in the clear', async () => {
    const { data } = await report({ contact: '13912345678 上海市浦东新区某某大道 2 号' }, { ip: '203.0.113.77' });
    const [row] = await rowsOf<{ text: string }>(
      app.ctx.db,
      sql`select row_to_json(r)::text as text from infringement_reports r where receipt_no = ${data.receipt_no}`,
    );
    expect(row?.text).not.toMatch(/13912345678|某某大道|203\.0\.113/);
  });
});

describe('a privacy request', () => {
  it('gets a receipt and the last of 15 working days', async () => {
    // 24 November 2026, a Tuesday, in Shanghai.
    app.clock.offsetMs = Date.parse('2026-11-24T01:00:00+08:00') - Date.now();
    const { code, data } = await ask();
    expect([code, data.receipt_no, data['due_date']]).toEqual([0, expect.stringMatching(/^YS20261124-/), '2026-12-15']);
    const numbersOf = async (which: 'open' | 'due' | 'every') =>
      (await listRequests(app.ctx, which)).map(({ receiptNo }) => receiptNo);
    expect(await numbersOf('open')).toContain(data.receipt_no);
    expect(await numbersOf('due')).not.toContain(data.receipt_no);
    app.clock.offsetMs += 18 * DAY_MS;
    expect(await numbersOf('due')).toContain(data.receipt_no);
    expect(await findRequest(app.ctx, data.receipt_no)).toMatchObject({
      workingDaysLeft: 2,
      contact: 'reader@example.com',
    });
    app.clock.offsetMs += 5 * DAY_MS;
    expect(await findRequest(app.ctx, data.receipt_no)).toMatchObject({ workingDaysLeft: -1 });
    // Two operators answer at once: one of them has done so.
    const answers = await Promise.all([1, 2, 3].map((n) => answerRequest(app.ctx, data.receipt_no, `答复 ${n}`)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await numbersOf('open')).not.toContain(data.receipt_no);
    expect(await numbersOf('every')).toContain(data.receipt_no);
  });

  it.each<[object, string]>([
    [{ type: 'all' }, 'type'],
    [{ contact: 'x' }, 'contact'],
    [{ content: '' }, 'content'],
    [{ content: 3 }, 'content'],
  ])('with %j is refused at its field', async (changed, field) => {
    expect(await ask(changed)).toMatchObject({ code: 40, data: { field } });
  });

  it('of a member is in the copy of their data; an erasure keeps what is still owed an answer, without the member', async () => {
    const [member, other] = [await addPerson(app), await addPerson(app)];
    const [open, answered] = [await ask({}, member), await ask({}, member)];
    await ask({}, other);
    await answerRequest(app.ctx, answered.data.receipt_no, '已提供');
    const copy = await legalPersonalData.collect(app.ctx, member.id);
    expect(JSON.stringify(copy)).not.toContain('Index');
    expect(copy['privacy_requests']).toMatchObject([
      { receiptNo: open.data.receipt_no, contact: REQUEST.contact, content: REQUEST.content, answer: '' },
      { receiptNo: answered.data.receipt_no, answer: '已提供' },
    ]);
    await eraseUser(app.ctx, PERSONAL_DATA, member.id);
    expect(await legalPersonalData.collect(app.ctx, member.id)).toEqual({ privacy_requests: [] });
    expect(await findRequest(app.ctx, answered.data.receipt_no)).toBeNull();
    expect(await findRequest(app.ctx, open.data.receipt_no)).toMatchObject({
      userId: null,
      workingDaysLeft: expect.any(Number),
    });
  });
});

it('the sweep forgets addresses after two days and closed rows after three years, never what waits', async () => {
  const [open, rejected, accepted, request] = [await report(), await report(), await report(), await ask()];
  await rejectReport(app.ctx, rejected.data.receipt_no, '材料不足');
  await acceptReport(app.ctx, accepted.data.receipt_no);
  await answerRequest(app.ctx, request.data.receipt_no, '已答复');
  app.clock.offsetMs += 3 * DAY_MS;
  await sweepLegal(app.ctx);
  const [left] = await rowsOf<{ count: number }>(
    app.ctx.db,
    sql`select count(address_index) + count(network_index) as count
      from (select receipt_no, address_index, network_index from infringement_reports
        union all select receipt_no, address_index, network_index from privacy_requests) a
      where receipt_no in (${open.data.receipt_no}, ${request.data.receipt_no})`,
  );
  expect(left).toEqual({ count: 0 });
  expect(await findReport(app.ctx, rejected.data.receipt_no)).not.toBeNull();
  app.clock.offsetMs += 3 * 365 * DAY_MS;
  await sweepLegal(app.ctx);
  expect(await findReport(app.ctx, rejected.data.receipt_no)).toBeNull();
  expect(await findRequest(app.ctx, request.data.receipt_no)).toBeNull();
  expect(await findReport(app.ctx, open.data.receipt_no)).toMatchObject({
    contact: REPORT.contact,
    proof: REPORT.proof,
  });
  // It keeps its document down, without the words of its sender.
  const cleared = expect.stringContaining('removed three years after');
  expect(await findReport(app.ctx, accepted.data.receipt_no)).toMatchObject({
    state: 'accepted',
    contact: cleared,
    proof: cleared,
    statement: cleared,
  });
});

describe('a start with another secret', () => {
  it.each([
    ['report', () => report()],
    ['request', () => ask()],
  ])('is refused while the newest %s is sealed, also in a library without phones', async (_kind, send) => {
    const stranger = () => refuseOtherSecret({ ...app.ctx, vault: createVault(randomBytes(32)) });
    await app.ctx.db.execute(sql`truncate infringement_reports, privacy_requests`);
    await stranger();
    expect((await send()).code).toBe(0);
    await refuseOtherSecret(app.ctx);
    await expect(stranger()).rejects.toThrow(WrongKey);
  });
});

describe('the log', () => {
  it('says every morning what waits for the operator, and nothing when nothing waits', async () => {
    const lines: [level: string, ...unknown[]][] = [];
    for (const level of ['warn', 'error'] as const) {
      const spy = vi
        .spyOn(app.ctx.log, level)
        .mockImplementation((...words: unknown[]) => void lines.push([level, ...words]));
      onTestFinished(() => spy.mockRestore());
    }
    for (const { receiptNo } of (await listReports(app.ctx, { isEvery: false })).reports)
      await rejectReport(app.ctx, receiptNo, '测试');
    for (const { receiptNo } of await listRequests(app.ctx, 'open')) await answerRequest(app.ctx, receiptNo, '测试');
    lines.length = 0;
    await logWaiting(app.ctx);
    expect(lines).toEqual([]);

    const reported = (await report()).data.receipt_no;
    const asked = (await ask()).data;
    await logWaiting(app.ctx);
    const facts = { reports: 1, oldest: reported, receivedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) };
    expect(lines).toContainEqual(['warn', facts, 'reports of infringement wait: ceku takedown list']);

    app.clock.offsetMs = Date.parse(`${String(asked['due_date'])}T12:00:00+08:00`) - Date.now();
    await logWaiting(app.ctx);
    const due = { requests: 1, first: asked.receipt_no, dueOn: asked['due_date'] };
    expect(lines).toContainEqual(['warn', due, 'requests about personal data are due: ceku privacy list --due']);
    app.clock.offsetMs += DAY_MS;
    await logWaiting(app.ctx);
    expect(lines).toContainEqual(['error', due, 'requests about personal data are overdue: ceku privacy list --due']);
    await answerRequest(app.ctx, asked.receipt_no, '已答复');
    await rejectReport(app.ctx, reported, '缺少权属证明');
    lines.length = 0;
    await logWaiting(app.ctx);
    expect(lines).toEqual([]);
  });
});

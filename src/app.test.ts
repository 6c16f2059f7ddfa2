import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, encoded, PASSWORD } from '../tests/people.ts';
import { ODD_TEXTS } from '../tests/published-document.ts';
import { standInProviders } from '../tests/stand-in-providers.ts';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { usernameLogin } from './accounts/contract.ts';
import { banUser } from './accounts/server/account-admin.ts';
import { buildApi } from './app.ts';
import type { Endpoint } from './protocol/endpoint.ts';

/** Calls without a login. Every other call must require a login, which this test checks for new calls too (R11). */
const OPEN_CALLS = new Set([
  '/api/v2/user/usernameLogin',
  '/api/user/loginMethods',
  '/api/user/getMiniLoginScene',
  '/api/v2/user/offiaccountLogin',
  '/api/user/miniLoginChecking',
  '/api/mini/loginScanned',
  '/api/mini/loginConfirm',
  '/api/mini/loginCancel',
  '/api/user/sendPhoneCode',
  '/api/user/phoneCodeLogin',
  '/api/user/phoneLogin',
  '/api/user/verifyUserPhone',
  '/api/user/returnPwd',
  '/api/user/webLogout',
  '/api/account/getWxQrCode',
  '/api/payItem/getList',
  '/api/doc/getDetail',
  '/api/doc/getGuestDetail',
  '/api/doc/index',
  '/api/chart/search',
  '/api/doc/search',
  '/api/doc/similarList',
  '/api/doc/versionList',
  '/api/doc/count',
  '/api/search/suggest',
  '/api/search/hotWords',
  '/api/theme/all',
  '/api/fileType/list',
  '/api/fileType/files',
  '/api/tag/chartTypeList',
  '/api/tag/industryList',
  '/api/favorite/shareOpen',
  '/api/collection/list',
  '/api/collection/detail',
  '/api/collection/filelist',
  '/api/infringement/report',
  '/api/privacy/request',
]);

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ providers: standInProviders().providers });
});
afterAll(() => app.close());

const endpoints = () => buildApi(app.ctx).endpoints;

async function answerOf(path: string, method: string, headers: Record<string, string>) {
  const body = method === 'POST' ? '{"fid":1,"id":1,"sid":"someone-else"}' : undefined;
  const response = await app.fetch(path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
  });
  const answer: { code: number; data: unknown } = await response.json();
  return { status: response.status, ...answer };
}

it('no two calls have one path, of which one would never be reached', () => {
  const paths = endpoints().map(({ path }) => path);
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
});

it('no call is made by HEAD, whose answer nobody could read', async () => {
  const { rawCalls } = buildApi(app.ctx);
  const called = endpoints().map(({ path, method, isBodyless }) => ({
    path,
    methods: isBodyless ? ['GET', 'POST'] : [method],
  }));
  for (const { path, methods } of [...called, ...rawCalls]) {
    const { status, headers } = await app.fetch(path, { method: 'HEAD' });
    expect([path, status, headers.get('allow')]).toEqual([path, 405, methods.join(', ')]);
  }
});

describe('every call that is not open to all', () => {
  it('is named as one or the other', () => {
    const open = endpoints().filter(({ auth }) => auth === 'none');
    expect(open.map(({ path }) => path).toSorted()).toEqual([...OPEN_CALLS].toSorted());
  });

  it('answers 10000 to visitors, odd tokens and cookies, 2 to an ended session, a banned user', async () => {
    const left = await addPerson(app);
    await app.fetch('/api/user/webLogout', { method: 'POST', headers: { token: left.token } });
    const banned = await addPerson(app);
    await banUser(app.ctx, banned.id);
    const member = await addPerson(app);
    const callers: [Record<string, string>, number][] = [
      [{}, 10000],
      [{ token: 'A'.repeat(43) }, 10000],
      [{ cookie: `token=${member.token}; sess=${member.token}` }, 10000],
      [{ token: left.token }, 2],
      [{ authorization: `Bearer ${banned.token}` }, 2],
    ];
    for (const { path, method } of endpoints().filter(({ auth }) => auth === 'session')) {
      for (const [headers, code] of callers) {
        const answer = await answerOf(path, method, headers);
        expect([path, answer.status, answer.code, answer.data]).toEqual([path, 200, code, null]);
      }
    }
  });
});

it('an ended session is told so by calls that answer members more, and may log in again (C-43)', async () => {
  const left = await addPerson(app);
  await app.fetch('/api/user/webLogout', { method: 'POST', headers: { token: left.token } });
  const personal = endpoints().filter(({ isPersonal }) => isPersonal);
  expect(personal.map(({ path }) => path).toSorted()).toEqual([
    '/api/chart/search',
    '/api/doc/getDetail',
    '/api/doc/search',
  ]);
  for (const { path, method } of personal) {
    expect([path, (await answerOf(path, method, { token: left.token })).code]).toEqual([path, 2]);
    expect([path, (await answerOf(path, method, { token: 'A'.repeat(43) })).code]).not.toEqual([path, 2]);
  }
  const login = { username: left.username, password: encoded(PASSWORD) };
  expect((await app.call(usernameLogin, login, left.token)).code).toBe(0);
});

describe('the sid of another session (C-03)', () => {
  it('is answered 2 by every call with a login, and that of the caller is not', async () => {
    const [caller, other] = [await addPerson(app), await addPerson(app)];
    const asked = async (path: string, method: string, sid: unknown) => {
      const init = { method, headers: { token: caller.token, 'content-type': 'application/json' } };
      const answer = await (method === 'POST'
        ? app.fetch(path, { ...init, body: JSON.stringify({ sid }) })
        : app.fetch(`${path}?sid=${String(sid)}`, init));
      return (await answer.json()).code;
    };
    for (const { path, method } of endpoints().filter(({ auth }) => auth === 'session')) {
      expect([path, await asked(path, method, other.sid)]).toEqual([path, 2]);
      expect([path, await asked(path, method, 'x')]).toEqual([path, 2]);
      if (method === 'POST') expect([path, await asked(path, method, 5)]).toEqual([path, 2]);
      expect([path, await asked(path, method, caller.sid)]).not.toEqual([path, 2]);
    }
  });
});

describe('every call', () => {
  const ODD: readonly unknown[] = [
    ...ODD_TEXTS,
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    '9'.repeat(400),
    [],
    [[]],
    {},
    { $ne: '' },
    { toString: 'x', __proto__: null },
    '13800001234\u0000',
    '%00',
    'A'.repeat(22),
    'A'.repeat(43),
  ];
  /** Every field any call reads. */
  const fieldsOf = (input: unknown): string[] =>
    typeof input === 'object' && input !== null && 'shape' in input
      ? // Another session's sid is refused before anything else is read.
        Object.keys(input.shape ?? {}).filter((field) => field !== 'sid')
      : [];

  /** Calls an endpoint with this input. Returns the faults of the answer: no envelope, or an error of the server. */
  async function complaintOf(call: Endpoint, value: unknown, token: string): Promise<string[]> {
    const { path, method, input } = call;
    const fields = fieldsOf(input);
    const headers = new Headers(token ? { token } : {});
    // A lone surrogate cannot stand in an address.
    const text = (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
    const query = new URLSearchParams(fields.map((field) => [field, text]));
    const body = JSON.stringify(Object.fromEntries(fields.map((field) => [field, value])));
    if (method === 'POST') headers.set('content-type', 'application/json');
    const response =
      method === 'GET'
        ? await app.fetch(`${path}?${query.toString()}`, { headers })
        : await app.fetch(path, { method, headers, body });
    const answer: { code?: unknown } | null = await response.json().catch(() => null);
    const isFine = response.status < 500 && typeof answer?.code === 'number';
    return isFine ? [] : [`${path} ${response.status} ${body.slice(0, 80)}`];
  }

  it('answers odd input of visitors in the envelope, and never fails on it (R20)', { timeout: 120_000 }, async () => {
    for (const call of endpoints()) {
      const { token } = await addPerson(app);
      const asked = ODD.flatMap((value) => [complaintOf(call, value, ''), complaintOf(call, value, token)]);
      expect((await Promise.all(asked)).flat()).toEqual([]);
    }
  });

  it('reads bodies as plain UTF-8, and refuses what is named as anything else', async () => {
    const send = async (headers: Record<string, string>) => {
      const response = await app.fetch('/api/doc/index', { method: 'POST', headers, body: '{"search_key":"年会"}' });
      const answer: { message: string } = await response.json();
      return [response.status, answer.message];
    };
    const json = (parameters: string) => send({ 'content-type': `application/json${parameters}` });
    for (const utf8 of ['', '; charset=utf-8', ';charset="UTF-8"', '; charset=utf8'])
      expect(await json(utf8)).toEqual([200, 'success']);
    for (const other of ['; charset=gbk', '; charset="GB18030"', ';version=1; charset = utf-16', '; charset='])
      expect(await json(other)).toEqual([415, '请求体须为 UTF-8 编码']);
    const coded = (coding: string) => send({ 'content-type': 'application/json', 'content-encoding': coding });
    expect(await coded('identity')).toEqual([200, 'success']);
    for (const coding of ['gzip', 'br', 'gzip, identity'])
      expect(await coded(coding)).toEqual([415, '请求体不能压缩，请去掉 Content-Encoding']);
  });

  it('refuses a body with more than 6,000 keys and values before it is read as JSON, and reads long texts', async () => {
    const { path } = endpoints().find((endpoint) => endpoint.path === '/api/doc/index') ?? expect.fail('no such call');
    const send = async (body: string) => {
      const response = await app.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const answer: { message: string } = await response.json();
      return [response.status, answer.message];
    };
    const keys = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])));
    expect(await send(keys(6_000))).toEqual([200, 'success']);
    expect(await send(keys(6_001))).toEqual([413, '请求体过大']);
    expect(await send(`{"x":${'['.repeat(6_000)}${']'.repeat(6_000)}}`)).toEqual([413, '请求体过大']);
    expect(await send(`{"x":"${'字'.repeat(80_000)}"}`)).toEqual([200, 'success']);
    expect(await send(`{"x":"${'字'.repeat(90_000)}"}`)).toEqual([413, '请求体过大']);
  });
});

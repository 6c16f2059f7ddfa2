import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { NO_REQUEST, type ApiContext, type Session } from './request-context.ts';
import { CODE } from '../../../protocol/codes.ts';
import { endpoint } from '../../../protocol/endpoint.ts';
import { notFound } from '../../../protocol/envelope.ts';
import { createApi, type RequestFacts } from './api.ts';
import { createSharedAnswers } from '../answers/shared-answers.ts';

const output = z.object({ items: z.array(z.object({ name: z.string() })) });
const everybodys = endpoint({
  method: 'POST',
  path: '/api/test/everybodys',
  summary: '',
  auth: 'none',
  input: z.object({ page: z.number().default(1) }),
  output,
  isShared: () => true,
});
const visitors = endpoint({
  ...everybodys,
  path: '/api/test/visitors',
  isShared: (_input, { isVisitor }) => isVisitor,
});
const members = endpoint({ ...everybodys, path: '/api/test/members', auth: 'session', isShared: () => false });

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

type Verb = (ctx: unknown, input: { page: number }) => Promise<{ items: { name: string; secret?: string }[] }>;
const verb = vi.fn<Verb>((_ctx, { page }) =>
  Promise.resolve({ items: [{ name: `page ${page}`, secret: 'not in the contract' }] }),
);
const plain = verb.getMockImplementation();
beforeEach(() => {
  verb.mockReset();
  if (plain) verb.mockImplementation(plain);
});

const session: Session = { id: 1, userId: 1, sid: 'x' };
const factsOf = (browserSession: Session | null): RequestFacts => ({
  ip: '203.0.113.7',
  requestId: '',
  browserSession,
});

function open() {
  const state = { now: 1_000_000, isWatched: true };
  const shared = createSharedAnswers({ now: () => state.now, isWatched: () => state.isWatched });
  const { callDirectly } = createApi({
    ctx: app.ctx,
    findSession: () => Promise.resolve('none'),
    shared,
    forMember: (_ctx, data) => {
      const { items } = output.parse(data);
      return Promise.resolve({ items: items.map(({ name }) => ({ name: name.replace('page', 'my page') })) });
    },
    slices: [(routes) => [everybodys, visitors, members].forEach((each) => routes.on(each, verb))],
  });
  const ask = (path: string, input: unknown = {}, member: Session | null = null) =>
    callDirectly(path, input, factsOf(member));
  return { ask, shared, state };
}

it('makes an answer once for everybody, in the shape of the contract, until a change', async () => {
  const { ask, shared, state } = open();
  const all = await Promise.all([ask(everybodys.path), ask(everybodys.path, { page: 1, unknown: 'ignored' })]);
  expect(verb).toHaveBeenCalledOnce();
  const body = { code: 0, message: 'success', data: { items: [{ name: 'page 1' }] } };
  expect(all).toEqual(Array(2).fill({ status: 200, body, isCacheable: true }));
  expect((await ask(everybodys.path, { page: 2 })).body).toMatchObject({ data: { items: [{ name: 'page 2' }] } });
  expect(verb).toHaveBeenCalledTimes(2);
  shared.clear();
  await ask(everybodys.path);
  expect(verb).toHaveBeenCalledTimes(3);
  state.now += 30_001;
  await ask(everybodys.path);
  state.isWatched = false;
  await ask(everybodys.path);
  expect(verb).toHaveBeenCalledTimes(5);
});

it('does not let one page change what the next one reads', async () => {
  const { ask } = open();
  const { body } = await ask(everybodys.path);
  const { items } = output.parse(body.data);
  expect(items).toHaveLength(1);
  expect(Object.isFrozen(body)).toBe(true);
  expect(() => Object.assign(body.data as object, { items: [] })).toThrow(TypeError);
});

it('completes a shared answer for the member who asks, and for nobody else', async () => {
  const { ask } = open();
  const names = async (member: Session | null) =>
    output.parse((await ask(everybodys.path, {}, member)).body.data).items.map(({ name }) => name);
  expect([await names(null), await names(session), await names(null)]).toEqual([['page 1'], ['my page 1'], ['page 1']]);
  expect(verb).toHaveBeenCalledOnce();
});

it('shares nothing that depends on the session', async () => {
  const { ask } = open();
  await ask(visitors.path);
  await ask(visitors.path);
  expect(verb).toHaveBeenCalledOnce();
  await ask(visitors.path, {}, session);
  await ask(visitors.path, {}, session);
  await ask(members.path, {}, session);
  await ask(members.path, {}, session);
  expect(verb).toHaveBeenCalledTimes(5);
});

it('lets the verb of a page loader share what is the same for all members, and of no other caller', async () => {
  const { ask, shared } = open();
  const make = vi.fn<() => Promise<{ name: string }>>(() => Promise.resolve({ name: 'shared' }));
  verb.mockImplementation(async (ctx) => ({ items: [await (ctx as ApiContext).request.share('fact 1', make)] }));
  const body = { code: 0, message: 'success', data: { items: [{ name: 'shared' }] } };
  expect((await ask(members.path, {}, session)).body).toEqual(body);
  expect((await ask(members.path, {}, { ...session, userId: 2 })).body).toEqual(body);
  expect(verb).toHaveBeenCalledTimes(2);
  expect(make).toHaveBeenCalledOnce();
  shared.clear();
  await ask(members.path, {}, session);
  expect(make).toHaveBeenCalledTimes(2);
  await NO_REQUEST.share('fact 1', make);
  await NO_REQUEST.share('fact 1', make);
  expect(make).toHaveBeenCalledTimes(4);
});

it('refuses like a call over HTTP, and keeps no refusal', async () => {
  const { ask } = open();
  expect(await ask(members.path)).toMatchObject({ status: 200, body: { code: CODE.notLoggedIn } });
  expect(await ask(everybodys.path, { page: 'x' })).toMatchObject({
    body: { code: CODE.invalid, data: { field: 'page' } },
  });
  expect(await ask('/api/test/none')).toMatchObject({ status: 404, body: { code: CODE.notFound } });
  verb.mockRejectedValueOnce(notFound()).mockRejectedValueOnce(new Error('broken'));
  expect(await ask(everybodys.path)).toMatchObject({ status: 200, body: { code: CODE.notFound } });
  const failed = await ask(everybodys.path);
  expect(failed).toMatchObject({ status: 500, body: { code: CODE.serverError } });
  expect(JSON.stringify(failed)).not.toContain('broken');
  expect(await ask(everybodys.path)).toMatchObject({ status: 200, body: { code: CODE.ok } });
});

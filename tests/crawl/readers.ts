import { createHash, randomBytes } from 'node:crypto';
import { findSession } from '../../src/accounts/server/sessions.ts';
import { createUser } from '../../src/accounts/server/users.ts';
import type { Ctx } from '../../src/context.ts';
import { grantCoins, grantMembership } from '../../src/membership/server/grants.ts';
import { rowsOf } from '../../src/platform/db/client.ts';
import { sql } from 'drizzle-orm';
import { READERS, type ReaderName } from './rights.ts';

/** Longer than any answer of the site may take on a busy machine. */
const ANSWER_MS = 120_000;

/** Everything that a reader received, for the watch to look at. */
export type Got = {
  reader: ReaderName;
  /** Method and address, as they were asked for. */
  asked: string;
  status: number;
  headers: Headers;
  type: string;
  body: Buffer;
  /** SHA-256 of the body in hexadecimal. */
  sha256: string;
};

/** A session of one reader, or none for the visitor. Every answer is handed to `watch` before it is returned. */
export type Reader = {
  name: ReaderName;
  /** Returns the id of the session, by which addresses are signed. */
  sessionId(ctx: Ctx): Promise<number>;
  get(address: string, init?: { method?: string; headers?: Record<string, string> }): Promise<Got>;
  /** Calls the API; `data` is null in a refusal. */
  call(path: string, input: object): Promise<{ code: number; data: unknown }>;
};

/** Opens a session for each reader of the table; `owner` has `coins`. */
export async function openReaders(
  ctx: Ctx,
  origin: string,
  options: { coins: number; watch: (got: Got) => void },
): Promise<Map<ReaderName, Reader>> {
  const readers = new Map<ReaderName, Reader>();
  for (const name of READERS) readers.set(name, await openReader(ctx, origin, name, options));
  return readers;
}

async function openReader(
  ctx: Ctx,
  origin: string,
  name: ReaderName,
  { coins, watch }: { coins: number; watch: (got: Got) => void },
): Promise<Reader> {
  const { userId, session } = name === 'visitor' ? VISITOR : await addAccount(ctx, origin, name);
  if (name === 'owner') await grantCoins(ctx, { userId, coins, reason: 'crawl' });
  const tier = { standard: 1, 'over-limit': 1, advanced: 2 } as const;
  if (name in tier)
    // Safe: the name is a key of the table.
    await grantMembership(ctx, { userId, tier: tier[name as keyof typeof tier], days: 30, reason: 'crawl' });
  if (name === 'over-limit') await useUpReads(ctx, userId);

  const ask = async (address: string, init: RequestInit) => {
    const answer = await fetch(new URL(address, origin), {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const got: Got = {
      reader: name,
      asked: `${init.method ?? 'GET'} ${address}`,
      status: answer.status,
      headers: answer.headers,
      type: answer.headers.get('content-type') ?? '',
      body,
      sha256: createHash('sha256').update(body).digest('hex'),
    };
    watch(got);
    return got;
  };
  return {
    name,
    async sessionId(open) {
      const found = session ? await findSession(open, session.token) : 'none';
      if (typeof found === 'string') throw new Error(`${name} has no session`);
      return found.id;
    },
    // A browser shows a page by its cookie; the API counts the header alone (C-02).
    get: (address, { method = 'GET', headers = {} } = {}) =>
      ask(address, { method, headers: { ...headers, ...(session && { cookie: `sess=${session.cookie}` }) } }),
    async call(path, input) {
      const { body } = await ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(session && { token: session.token }) },
        body: JSON.stringify(input),
      });
      // Safe: every call answers the envelope of C-01; anything else fails below.
      const reply = JSON.parse(body.toString()) as { code: number; data: unknown };
      if (typeof reply.code !== 'number') throw new Error(`${path} answered no envelope: ${body.toString()}`);
      return reply;
    },
  };
}

const VISITOR = { userId: 0, session: null };

async function addAccount(ctx: Ctx, origin: string, name: ReaderName) {
  const username = `c${randomBytes(6).toString('hex')}`;
  const password = 'crawl-2026';
  const userId = await createUser(ctx, { username, password, phone: null, nickname: '小策' });
  if (userId === null) throw new Error(`the account of ${name} could not be made`);
  const answer = await fetch(new URL('/api/v2/user/usernameLogin', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: Buffer.from(password).toString('base64') }),
  });
  const cookies = new Map(
    answer.headers.getSetCookie().map((line): [string, string] => {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      return [key, value];
    }),
  );
  const [token, cookie] = [cookies.get('token'), cookies.get('sess')];
  if (!token || !cookie) throw new Error(`the login of ${name} failed: ${await answer.text()}`);
  return { userId, session: { token, cookie } };
}

/** Uses up the 1,500 reads of the month of a standard member (C-40). */
async function useUpReads(ctx: Ctx, userId: number): Promise<void> {
  await rowsOf(
    ctx.db,
    sql`insert into quota_uses values (${userId}, 'read-month', to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM'), 1500)`,
  );
}

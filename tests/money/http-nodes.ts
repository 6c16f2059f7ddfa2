import { buildApi } from '../../src/app.ts';
import { createCaches } from '../../src/caches.ts';
import { openSession } from '../../src/accounts/server/sessions.ts';
import { createUser } from '../../src/accounts/server/users.ts';
import type { Ctx } from '../../src/context.ts';
import { openDatabase } from '../../src/platform/db/client.ts';
import { listen } from '../../src/platform/http/listen.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import type { TestDatabase } from '../test-database.ts';

/** The answer of a call over HTTP. */
export type Reply = { status: number; code: number; data: Record<string, unknown> };

export type HttpNodes = {
  app: TestApp;
  origins: [string, string];
  /** Sets the clock of both nodes; it goes on from there. */
  setClock(now: number): void;
  /** A new user, logged in for 30 days from now on the nodes' clock. */
  addUser(): Promise<{ id: number; token: string }>;
  close(): Promise<void>;
};

/** The API on two ports of this machine, as two nodes over one database: each has connections and caches of its own. */
export async function openHttpNodes(given?: TestDatabase): Promise<HttpNodes> {
  const app = await openTestApp(given ? { database: given } : {});
  let offsetMs = 0;
  const ctx: Ctx = { ...app.ctx, clock: { now: () => Date.now() + offsetMs } };
  const second = openDatabase(app.databaseUrl, { max: 10, log: ctx.log });
  const nodes = await Promise.all(
    [ctx, { ...ctx, db: second.db, readDb: second.readDb, caches: createCaches() }].map((node) => serveApi(node)),
  );
  const [one, other] = nodes;
  if (!one || !other) throw new Error('There are two nodes.');
  return {
    app: { ...app, ctx },
    origins: [one.origin, other.origin],
    setClock(now) {
      offsetMs = now - Date.now();
    },
    async addUser() {
      const id = await createUser(ctx, { username: null, password: null, phone: null, nickname: '小策' });
      const login = id === null ? null : await openSession(ctx, [], id);
      if (id === null || !login) throw new Error('the user was not created');
      return { id, token: login.authToken };
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      await second.close();
      await app.close();
    },
  };
}

/** Serves the API of the site, without pages, on a port of this machine: a free one unless given. */
export async function serveApi(ctx: Ctx, port = 0): Promise<{ origin: string; close(): Promise<void> }> {
  const { api } = buildApi(ctx);
  const server = await listen({
    config: { port, host: '127.0.0.1', publicUrl: null, trustedProxies: 0 },
    handler: async (request, { ip, isHttps }) => api.fetch(request, { ip, requestId: '', isHttps }),
    middleware: null,
  });
  return { origin: `http://127.0.0.1:${server.port}`, close: () => server.close(1_000) };
}

/** Posts to a node. Throws when it gives no answer within 20 s. */
export async function post(origin: string, path: string, token: string, body: object): Promise<Reply> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { token }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  const { code, data }: { code: number; data: Record<string, unknown> | null } = await response.json();
  return { status: response.status, code, data: data ?? {} };
}

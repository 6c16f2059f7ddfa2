import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { openProviders } from '../src/accounts/server/adapters/open-providers.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/db/client.ts';
import { createLog } from '../src/platform/log.ts';
import type { ProviderSettings } from '../src/accounts/server/adapters/provider-settings.ts';
import { accountsOf, openOutside, type OutsideServer } from '../src/outside/server.ts';
import { gatewaysOfOutside, openGateways } from '../src/payment/server/adapters/gateways.ts';
import { createCall, type Call } from '../src/protocol/call.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import { createTestDatabase } from './test-database.ts';

/** The accounts that a pretend outside world opened, as the site would read them; SMS by either carrier. */
export function settingsOf(outside: OutsideServer, carrier: 'aliyun' | 'tencent' = 'aliyun'): ProviderSettings {
  const { url, accounts } = outside.world;
  const { official, mini, aliyun, tencent } = accounts;
  const sms =
    carrier === 'tencent'
      ? { carrier, ...tencent, region: 'ap-guangzhou', apiUrl: `${url}/tencent/` }
      : { carrier, ...aliyun, appId: '', region: '', apiUrl: `${url}/aliyun/` };
  return {
    officialAccount: {
      appId: official.appId,
      appSecret: official.secret,
      pushToken: official.token,
      aesKey: official.aesKey,
      apiUrl: url,
    },
    miniProgram: { appId: mini.appId, appSecret: mini.secret, loginPage: 'pages/login/index', apiUrl: url },
    sms,
  };
}

/** A control call; the answer's JSON. Throws when it is refused. */
export async function control(
  outside: { url: string },
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${outside.url}/control/${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
  return json;
}

export type ConnectedApp = {
  app: TestApp;
  /** Where the outside world reaches the site, and where an order says it does. */
  siteUrl: string;
  /** A call over the socket, with the token of a login when given. */
  callAs(token?: string): Call;
  outside: OutsideServer;
  control(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
};

/**
 * The whole API with the real adapters, and a pretend outside world that reaches it over a socket, and is reached.
 * `payTimeoutMs`: how long a payment provider may take.
 */
export async function openConnectedApp(
  carrier: 'aliyun' | 'tencent' = 'aliyun',
  { payTimeoutMs }: { payTimeoutMs?: number } = {},
): Promise<ConnectedApp> {
  const outside = await openOutside({ host: '127.0.0.1', port: 0 });
  const database = await createTestDatabase();
  const log = createLog('silent');
  const connections = openDatabase(database.url, { max: 4, log });
  const providers = openProviders(settingsOf(outside, carrier), { db: connections.db, clock: systemClock, log });
  const gateways = openGateways(gatewaysOfOutside(accountsOf(outside.world)), {
    clock: systemClock,
    log,
    ...(payTimeoutMs !== undefined && { timeoutMs: payTimeoutMs }),
  });
  const app = await openTestApp({ database, providers, gateways });
  const listener = getRequestListener(
    async (request) => {
      const { method, headers, url } = request;
      // The bytes as they came: notifications are signed over them.
      const body = method === 'GET' ? null : await request.arrayBuffer();
      return app.fetch(url, { method, headers, body });
    },
    { overrideGlobalObjects: false },
  );
  const site = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  // Safe: it listens on TCP.
  const { port } = site.address() as AddressInfo;
  const siteUrl = `http://127.0.0.1:${port}`;
  await control(outside, 'PUT', 'site', { url: siteUrl });
  return {
    app,
    siteUrl,
    callAs: (token) => createCall({ origin: siteUrl, fetch, headers: () => ({ ...(token && { token }) }) }),
    outside,
    control: (method, path, body) => control(outside, method, path, body),
    async close() {
      site.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
      await outside.close();
      await connections.close();
      await app.close();
    },
  };
}

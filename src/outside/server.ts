import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { accessTokens } from './access-tokens.ts';
import { alipayAccountOf } from './alipay/alipay.ts';
import { alipay } from './alipay/server.ts';
import { aliyunSms } from './aliyun-sms.ts';
import type { Env } from './answer.ts';
import { control } from './control.ts';
import { miniProgram } from './mini-program.ts';
import { officialAccount } from './official-account.ts';
import { phone } from './phone.ts';
import { tencentSms } from './tencent-sms.ts';
import { wechatPayAccountOf } from './wechat-pay/wechat-pay.ts';
import { wechatPay } from './wechat-pay/server.ts';
import { createWorld, type World } from './world.ts';

export type OutsideServer = { url: string; port: number; world: World; close(): Promise<void> };

/**
 * Starts the pretend outside world. `port` 0: any free port. Rejects with Node's own error when the port is taken. Only
 * requests whose Host is a host of this machine or the configured host are served, so that no page of another site
 * reaches it through a visitor's browser.
 */
export async function openOutside(options: { host: string; port: number }): Promise<OutsideServer> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  // Safe: the server listens on TCP.
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const world = createWorld(`http://${host}:${port}`);
  const hosts = new Set(['127.0.0.1', 'localhost', host].map((name) => `${name}:${port}`));

  const tokens = accessTokens(world);
  const app = new Hono<Env>()
    .use(async (c, next) => {
      if (!hosts.has(c.req.header('host') ?? '')) return c.text('unknown host', 421);
      // Refuses forms of other sites, which carry the other site's Origin.
      const origin = c.req.header('origin');
      if (origin && URL.parse(origin)?.host !== c.req.header('host')) return c.text('foreign origin', 403);
      // Not framed: a page around this one could make its visitor press 确认登录 unseen.
      c.header('content-security-policy', "frame-ancestors 'none'");
      return next();
    })
    .route('/', tokens.routes)
    .route('/', officialAccount(world, tokens))
    .route('/', miniProgram(world, tokens))
    .route('/', aliyunSms(world))
    .route('/', tencentSms(world))
    .route('/', wechatPay(world))
    .route('/', alipay(world))
    .route('/', control(world))
    .route('/', phone(world));
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => void listener(request, response));
  return {
    url: world.url,
    port,
    world,
    close: () =>
      new Promise((resolve) => {
        world.wechatPay.ending.abort();
        world.alipay.ending.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The settings of the site: its accounts with each vendor, and the vendors' addresses. */
export function accountsOf(world: World) {
  const { official, mini, aliyun } = world.accounts;
  return {
    officialAccount: {
      appId: official.appId,
      appSecret: official.secret,
      pushToken: official.token,
      aesKey: official.aesKey,
      apiUrl: world.url,
    },
    miniProgram: { appId: mini.appId, appSecret: mini.secret, loginPage: 'pages/login/index', apiUrl: world.url },
    sms: { carrier: 'aliyun', ...aliyun, appId: '', region: '', apiUrl: `${world.url}/aliyun/` },
    wechatPay: wechatPayAccountOf(world.wechatPay, world.url),
    alipay: alipayAccountOf(world.alipay, world.url),
  };
}

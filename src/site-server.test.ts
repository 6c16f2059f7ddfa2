import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { createHealth } from './site/server/health.ts';
import type { Render } from './render.ts';
import { createSiteHandler } from './site-server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

it('asks no page for a path that is no text', async () => {
  const render = vi.fn<Render>(() => Promise.resolve(new Response('page')));
  const health = createHealth(app.ctx);
  const { handler } = createSiteHandler({
    ctx: app.ctx,
    health,
    clientDir: null,
    render,
    hasPage: () => true,
    cache: null,
    outside: null,
  });
  const statusOf = async (path: string) =>
    (await handler(new Request(`http://site${path}`), { ip: '127.0.0.1', isHttps: false })).status;
  for (const path of ['/%', '/detail/1%', '/detail/%E0%A4%A']) expect(await statusOf(path)).toBe(404);
  expect(render).not.toHaveBeenCalled();
  expect(await statusOf('/detail/%E7%AD%96')).toBe(200);
});

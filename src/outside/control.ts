import { Hono } from 'hono';
import { z } from 'zod';
import type { Env } from './answer.ts';
import { messagesTo, meet, openidOf, unionidOf, type World } from './world.ts';
import { FAULTS, TARGETS } from './faults.ts';
import { newJsCode } from './mini-program.ts';
import { checkServerUrl } from './push.ts';
import { decide, scan } from './scan.ts';

const scanning = z.object({
  scene: z.string(),
  /** The person who scans: a key chosen by the test or an openid; a new value is a new person. */
  openid: z.string().min(1).default('xiaoce'),
  nickname: z.string().optional(),
  /** false: scanned but not decided; the two calls below continue. */
  confirm: z.boolean().default(true),
});
const deciding = z.object({ scene: z.string() });
const faulty = z.object({
  target: z.enum(TARGETS),
  fault: z.enum(FAULTS),
  times: z.number().int().min(1).default(1),
  ms: z.number().int().min(0).default(1_000),
});

/** Calls for tests: everything that the phone page can do, and faults. */
export function control(world: World) {
  return new Hono<Env>()
    .onError((error, c) =>
      error instanceof z.ZodError || error instanceof SyntaxError
        ? c.json({ error: error.message }, 400)
        : c.json({ error: String(error) }, 500),
    )
    .put('/control/site', async (c) => {
      const { url } = z.object({ url: z.url() }).parse(await c.req.json());
      const siteUrl = url.replace(/\/$/, '');
      const isChecked = await checkServerUrl(world, siteUrl);
      world.siteUrl = siteUrl;
      return c.json({ siteUrl, isChecked }, isChecked ? 200 : 502);
    })
    .post('/control/scan', async (c) => {
      const ask = scanning.parse(await c.req.json());
      const scene = world.scenes.get(ask.scene);
      if (!scene) return c.json({ error: 'nobody made a code of this scene' }, 404);
      const scanned = await scan(world, scene, meet(world, ask.openid, ask.nickname));
      if (scene.kind === 'official' || !ask.confirm || !scanned.ok) return c.json({ kind: scene.kind, scanned });
      return c.json({ kind: scene.kind, scanned, decided: await decide(world, scene, 'confirm') });
    })
    .post('/control/confirm', async (c) => {
      const scene = world.scenes.get(deciding.parse(await c.req.json()).scene);
      return scene
        ? c.json({ decided: await decide(world, scene, 'confirm') })
        : c.json({ error: 'no such scene' }, 404);
    })
    .post('/control/cancel', async (c) => {
      const scene = world.scenes.get(deciding.parse(await c.req.json()).scene);
      return scene
        ? c.json({ decided: await decide(world, scene, 'cancel') })
        : c.json({ error: 'no such scene' }, 404);
    })
    .post('/control/person', async (c) => {
      const ask = z.object({ openid: z.string().min(1), nickname: z.string().optional() }).parse(await c.req.json());
      const person = meet(world, ask.openid, ask.nickname);
      return c.json({
        nickname: person.nickname,
        miniOpenid: openidOf(world.accounts.mini.appId, person),
        officialOpenid: openidOf(world.accounts.official.appId, person),
        unionid: unionidOf(person),
        jsCode: newJsCode(world, person),
      });
    })
    .get('/control/sms', (c) => {
      const phone = c.req.query('phone') ?? '';
      const messages = messagesTo(world, phone);
      const [last] = messages;
      if (!last) return c.json({ error: 'nothing was sent to this phone' }, 404);
      return c.json({ code: last.code, text: last.text, at: last.at, count: messages.length });
    })
    .get('/control/calls', (c) => c.json(Object.fromEntries(world.calls)))
    .get('/control/faults', (c) => c.json(world.faults.list()))
    .post('/control/faults', async (c) => {
      world.faults.add(faulty.parse(await c.req.json()));
      return c.json(world.faults.list());
    })
    .delete('/control/faults', (c) => {
      world.faults.clear();
      return c.json([]);
    });
}

import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { alipayCodes, alipayScreen, qrCodeIn } from './alipay/phone.ts';
import type { Env } from './answer.ts';
import { isWechatPayCode, wechatPayCodes, wechatPayScreen } from './wechat-pay/phone.ts';
import { messagesTo, meet, sweep, type World } from './world.ts';
import { decide, scan } from './scan.ts';
import { homeScreen, messageList, messagesScreen, programScreen, sceneScreen } from './phone-screens.ts';

/** The apps that pay: whether an app opens a text, its screen for the text, and the codes that wait for it. */
const PAYMENT_APPS = {
  wechat: { opens: isWechatPayCode, screen: wechatPayScreen, codes: wechatPayCodes },
  alipay: { opens: (text: string) => qrCodeIn(text) !== null, screen: alipayScreen, codes: alipayCodes },
};

/** Returns the screen of the app that opens a text. Alipay's says that a text which no app opens is no code. */
function payScreen(world: World, text: string, holder: string) {
  const app = Object.values(PAYMENT_APPS).find(({ opens }) => opens(text)) ?? PAYMENT_APPS.alipay;
  return app.screen(world, text, holder);
}

/**
 * A person's phone in the browser: `/phone` its home, `?scene=` in front of a code, `?sms=` the messages of a number,
 * `?program=` in the mini program, `?open=` with what a code of a payment holds, or with the deep link that a phone's browser would open instead. Plain
 * forms, so it needs neither script nor mouse.
 */
export function phone(world: World) {
  return new Hono<Env>()
    .get('/', (c) => c.redirect('/phone'))
    .get('/phone', (c) => {
      sweep(world);
      const { scene, sms, open, program } = c.req.query();
      if (sms !== undefined) return c.html(messagesScreen(sms.trim(), messagesTo(world, sms.trim())));
      const holder = getCookie(c, 'person') ?? 'xiaoce';
      if (scene !== undefined) return c.html(sceneScreen(world, world.scenes.get(scene) ?? null, holder));
      if (program !== undefined) return c.html(programScreen());
      if (open !== undefined) return c.html(payScreen(world, open, holder));
      const codes = Object.values(PAYMENT_APPS).map((app) => app.codes(world));
      return c.html(homeScreen(world, codes));
    })
    .get('/phone/messages', (c) => c.html(messageList(messagesTo(world, c.req.query('phone') ?? ''))))
    .post('/phone/scan', async (c) => {
      const form = await readForm(c.req.raw);
      const newcomer = form('newcomer').trim().slice(0, 20);
      const person = newcomer ? meet(world, newcomer, newcomer) : meet(world, form('person') || 'xiaoce');
      setCookie(c, 'person', person.key, { path: '/phone', httpOnly: true, sameSite: 'Lax' });
      const scene = world.scenes.get(form('scene'));
      if (scene) await scan(world, scene, person);
      return c.redirect(`/phone?scene=${encodeURIComponent(form('scene'))}`, 303);
    })
    .post('/phone/decide', async (c) => {
      const form = await readForm(c.req.raw);
      const scene = world.scenes.get(form('scene'));
      if (scene) await decide(world, scene, form('step') === 'confirm' ? 'confirm' : 'cancel');
      return c.redirect(`/phone?scene=${encodeURIComponent(form('scene'))}`, 303);
    });
}

async function readForm(request: Request): Promise<(name: string) => string> {
  const form = new URLSearchParams(await request.text());
  return (name) => form.get(name) ?? '';
}

import { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Env } from '../answer.ts';
import { choosePerson, clock, outcome, screen, type Html } from '../phone-screens.ts';
import { meet, type World } from '../world.ts';
import { payOrder } from './orders.ts';
import { nowOf, orderNow, type Order } from './wechat-pay.ts';

const SCHEME = 'weixin://wxpay/bizpayurl?pr=';
const yuan = (fen: number) => `¥${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`;
const pageOf = (content: string) => `/phone?open=${encodeURIComponent(content)}`;

/** True for the content of a QR code that WeChat Pay made. */
export const isWechatPayCode = (content: string) => content.trim().startsWith('weixin://wxpay/');

/** Returns the order behind the content of a QR code; null when the code is invented, or over. */
function findOrder(world: World, content: string): Order | null {
  const code = world.wechatPay.codes.get(content.trim().slice(SCHEME.length));
  if (!code || code.expiresAt < nowOf(world.wechatPay)) return null;
  return orderNow(world.wechatPay, code.outTradeNo);
}

/** The part of the home screen where a code of WeChat Pay is scanned: those that can be paid, the newest first. */
export function wechatPayCodes(world: World): Html {
  const waiting = new Map<string, { content: string; order: Order }>();
  for (const pr of world.wechatPay.codes.keys()) {
    const content = `${SCHEME}${pr}`;
    const order = findOrder(world, content);
    if (order?.state === 'NOTPAY') waiting.set(order.outTradeNo, { content, order });
  }
  return html`<section>
    <h2>微信支付扫一扫</h2>
    ${waiting.size === 0 ? html`<p class="hint">电脑上选择微信付款后，付款码会出现在这里。</p>` : ''}
    <ul class="list">
      ${[...waiting.values()]
        .toReversed()
        .slice(0, 5)
        .map(
          ({ content, order }) =>
            html`<li>
              <a href="${pageOf(content)}">
                <span>${order.description} · ${yuan(order.totalFen)}</span><small>${clock(order.createdAt)} 生成</small>
              </a>
            </li>`,
        )}
    </ul>
  </section>`;
}

/** WeChat's screens after a code was scanned: who is paid how much for what, with 支付 and 取消, then what became of it. */
export function wechatPayScreen(world: World, content: string, holder: string, refusal = ''): Html {
  const order = findOrder(world, content);
  if (!order || order.state === 'CLOSED')
    return screen('微信支付', outcome('bad', '二维码已失效', '请回到电脑上刷新二维码，再打开这里。'));
  if (order.paidAt !== null)
    return screen('微信支付', outcome('good', '支付成功', `${yuan(order.paidFen)} 已付给商户，请回到电脑上继续。`));
  return screen(
    '微信支付',
    html`<form method="post" action="/phone/wechat-pay">
      <input type="hidden" name="code" value="${content}" />
      <p class="amount"><span>付款给 ${world.wechatPay.merchantName}</span><strong>${yuan(order.totalFen)}</strong></p>
      <dl>
        <div>
          <dt>商品</dt>
          <dd>${order.description}</dd>
        </div>
        <div>
          <dt>商户单号</dt>
          <dd>${order.outTradeNo}</dd>
        </div>
      </dl>
      ${refusal ? html`<p class="note" role="alert">${refusal}</p>` : ''}
      ${choosePerson(world, holder, '用哪个微信号付款', '微信号')}
      <button class="main" name="step" value="pay" autofocus>支付</button>
      <button class="plain wide" name="step" value="cancel">取消</button>
    </form>`,
  );
}

/** The two buttons of that page. */
export function wechatPayPhone(world: World) {
  return new Hono<Env>().post('/phone/wechat-pay', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const code = form.get('code') ?? '';
    if (form.get('step') !== 'pay') return c.html(cancelledScreen(code));
    const newcomer = (form.get('newcomer') ?? '').trim().slice(0, 20);
    const person = newcomer ? meet(world, newcomer, newcomer) : meet(world, form.get('person') || 'xiaoce');
    setCookie(c, 'person', person.key, { path: '/phone', httpOnly: true, sameSite: 'Lax' });
    const order = findOrder(world, code);
    // The payer sees at once that it is paid, whatever the merchant's site does with the notification.
    const refusal = order && payOrder(world, order, { person }).refusal;
    if (refusal) return c.html(wechatPayScreen(world, code, person.key, refusal));
    return c.redirect(pageOf(code), 303);
  });
}

const cancelledScreen = (code: string) =>
  screen(
    '微信支付',
    html`${outcome('bad', '已取消支付', '没有付款。二维码失效前还可以再付。')}
      <p class="again"><a href="${pageOf(code)}">重新支付</a></p>`,
  );

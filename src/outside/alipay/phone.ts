import { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Env } from '../answer.ts';
import { choosePerson, clock, outcome, screen, type Html } from '../phone-screens.ts';
import { meet, type World } from '../world.ts';
import { nowOf, yuan, type Code, type Trade } from './alipay.ts';
import { notify } from './notify.ts';
import { findCode, findTrade, payTrade, scanCode } from './trades.ts';

/**
 * Returns the content of a QR code out of what was opened on the phone: the content itself, or Alipay's deep link, by which a
 * phone's browser opens the app with a code. Null for anything else.
 */
export function qrCodeIn(opened: string): string | null {
  const text = opened.trim();
  if (text.startsWith('https://qr.alipay.com/')) return text;
  if (!/^alipays?:\/\/platformapi\/startapp\?/i.test(text)) return null;
  const inside = URL.parse(text)?.searchParams;
  const code = inside?.get('qrcode') ?? '';
  return inside?.get('saId') === '10000007' && code.startsWith('https://qr.alipay.com/') ? code : null;
}

/** The part of the home screen where a code of Alipay is scanned: those that wait, and a field for any other. */
export function alipayCodes(world: World): Html {
  const { alipay } = world;
  const now = nowOf(alipay);
  const waiting = [...alipay.codes.values()].filter((code) => {
    const status = findTrade(alipay, code.outTradeNo)?.status ?? 'WAIT_BUYER_PAY';
    return code.expiresAt > now && status === 'WAIT_BUYER_PAY';
  });
  return html`<section>
    <h2>支付宝扫一扫</h2>
    ${waiting.length === 0 ? html`<p class="hint">电脑上选择支付宝付款后，付款码会出现在这里。</p>` : ''}
    <ul class="list">
      ${waiting
        .toReversed()
        .slice(0, 5)
        .map(
          (code) =>
            html`<li>
              <a href="/phone?open=${encodeURIComponent(code.qrCode)}">
                <span>${code.subject} · ¥${yuan(code.totalFen)}</span><small>${clock(code.createdAt)} 生成</small>
              </a>
            </li>`,
        )}
    </ul>
    <form class="row" method="get" action="/phone">
      <label class="grow"
        >付款码内容或支付宝链接<input name="open" placeholder="https://qr.alipay.com/…" autocomplete="off" required
      /></label>
      <button class="plain">打开</button>
    </form>
  </section>`;
}

/** The app's screens after a code was opened: who pays, then the bill with its two buttons, then what became of it. */
export function alipayScreen(world: World, opened: string, holder: string): Html {
  const code = findCode(world.alipay, qrCodeIn(opened) ?? '');
  if (!code) return screen('支付宝', outcome('bad', '无法识别', '这不是一个有效的支付宝付款码。'));
  const trade = findTrade(world.alipay, code.outTradeNo);
  if (trade && trade.paidAt !== null) return screen('支付宝', receipt(world, trade));
  if (trade?.status === 'TRADE_CLOSED' || code.expiresAt <= nowOf(world.alipay)) {
    return screen('支付宝', outcome('bad', '付款码已失效', '请回到网页上刷新付款码，再扫一次。'));
  }
  return trade ? cashier(world, code, trade) : scanner(world, code, holder);
}

const scanner = (world: World, code: Code, holder: string) =>
  screen(
    '支付宝',
    html`<form method="post" action="/phone/alipay/scan">
      <input type="hidden" name="code" value="${code.qrCode}" />
      <p class="hint">支付宝付款码</p>
      ${choosePerson(world, holder, '用哪个支付宝账号付款', '支付宝账号')}
      <button class="main pay" autofocus>扫一扫</button>
    </form>`,
  );

const cashier = (world: World, code: Code, trade: Trade) =>
  screen(
    '确认付款',
    html`<form method="post" action="/phone/alipay/decide">
      <input type="hidden" name="code" value="${code.qrCode}" />
      <p class="amount"><span>付款金额</span><strong>¥${yuan(trade.totalFen)}</strong></p>
      <dl>
        ${[
          ['商家', world.alipay.merchant],
          ['商品', trade.subject],
          ['订单号', trade.outTradeNo],
          ['付款账号', meet(world, trade.buyer).nickname],
        ].map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      <button class="main pay" name="step" value="confirm" autofocus>确认付款</button>
      <button class="plain wide" name="step" value="cancel">取消</button>
    </form>`,
  );

function receipt(world: World, trade: Trade): Html {
  const isKnown = (world.alipay.attempts.get(trade.outTradeNo) ?? []).some(({ isAcknowledged }) => isAcknowledged);
  const words = isKnown ? '商家已收到付款结果，请回到网页上继续。' : '付款结果正在通知商家，请回到网页上稍候。';
  if (trade.refunds.length > 0) return outcome('good', `¥${yuan(trade.totalFen)} 已退款`, '钱已退回原付款账户。');
  return outcome('good', `支付成功 ¥${yuan(trade.totalFen)}`, words);
}

const cancelled = (again: string) =>
  screen(
    '支付宝',
    html`${outcome('bad', '已取消付款', '没有扣款。付款码在有效期内可以再扫。')}
      <p class="again"><a href="${again}">重新付款</a></p>`,
  );

/** The buttons of these screens. */
export function alipayPhone(world: World) {
  const { alipay } = world;
  const back = (code: string) => `/phone?open=${encodeURIComponent(code)}`;
  return new Hono<Env>()
    .post('/phone/alipay/scan', async (c) => {
      const form = new URLSearchParams(await c.req.text());
      const newcomer = (form.get('newcomer') ?? '').trim().slice(0, 20);
      const person = newcomer ? meet(world, newcomer, newcomer) : meet(world, form.get('person') || 'xiaoce');
      setCookie(c, 'person', person.key, { path: '/phone', httpOnly: true, sameSite: 'Lax' });
      const code = findCode(alipay, form.get('code') ?? '');
      if (code) scanCode(alipay, code, person.key);
      return c.redirect(back(form.get('code') ?? ''), 303);
    })
    .post('/phone/alipay/decide', async (c) => {
      const form = new URLSearchParams(await c.req.text());
      const code = findCode(alipay, form.get('code') ?? '');
      const trade = code ? findTrade(alipay, code.outTradeNo) : null;
      if (form.get('step') !== 'confirm') {
        return c.html(cancelled(back(form.get('code') ?? '')));
      }
      if (trade && payTrade(alipay, trade)) await notify(alipay, trade);
      return c.redirect(back(form.get('code') ?? ''), 303);
    });
}

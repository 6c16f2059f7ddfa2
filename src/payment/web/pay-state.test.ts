import { expect, it } from 'vitest';
import type { OrderStatus } from '../rules.ts';
import {
  asksStatus,
  expiryOf,
  lookAnswerOf,
  NO_PAYMENT,
  nextPayState,
  orderedAt,
  paidBeforeOf,
  sitePoll,
  unaskedOf,
  userCentrePoll,
  type PayCode,
  type PayEvent,
  type PayState,
  type PayVariant,
} from './pay-state.ts';

const HOUR = 3_600_000;
const code = (number: string, channel: PayCode['channel'] = 'wechat'): PayCode => ({
  itemId: 4,
  kind: 'vip',
  channel,
  content: `weixin://${number}`,
  outTradeNo: number,
  totalFen: 29_800,
  expiresAt: HOUR,
});
const chosen: PayEvent = { type: 'chosen', choice: { itemId: 4, kind: 'vip', channel: 'wechat' } };
const after = (state: PayState, ...events: PayEvent[]) => events.reduce(nextPayState, state);
const issued = (round: number, number: string, variant: PayVariant = 'site'): PayEvent => ({
  type: 'issued',
  round,
  code: code(number),
  at: 0,
  variant,
});
const waiting = after(NO_PAYMENT, chosen, issued(1, 'M1'));

it('asks for a code with each choice, and shows the answer to the last one alone', () => {
  const twice = after(NO_PAYMENT, chosen, { type: 'chosen', choice: { itemId: 5, kind: 'coin', channel: 'alipay' } });
  expect(twice).toMatchObject({ phase: 'loading', round: 2, choice: { itemId: 5, kind: 'coin', channel: 'alipay' } });
  const late = after(twice, issued(1, 'M1'));
  expect(late).toMatchObject({ phase: 'loading', code: null });
  // It is an order of this dialog all the same: it may be paid.
  expect(late.issued.map(({ outTradeNo }) => outTradeNo)).toEqual(['M1']);
  expect(after(late, issued(2, 'M2'))).toMatchObject({
    phase: 'waiting',
    code: { outTradeNo: 'M2' },
    issued: [{ outTradeNo: 'M2' }, { outTradeNo: 'M1' }],
  });
});

it('keeps an order once when a choice that was made before returns it', () => {
  const again = after(waiting, chosen, issued(2, 'M2'), chosen, issued(3, 'M1'));
  expect(again.issued.map(({ outTradeNo }) => outTradeNo)).toEqual(['M1', 'M2']);
});

const justPaid = { over: 'just-paid', outTradeNo: 'M0', name: '年度会员' } as const;
const asks: PayEvent = { type: 'paid-before', kind: 'vip', before: justPaid };
const refresh: PayEvent = { type: 'refresh' };
const coins: PayEvent = { type: 'chosen', choice: { itemId: 5, kind: 'coin', channel: 'wechat' } };

it('asks a buyer who has paid minutes ago before there is another code, for each choice until the buyer says so', () => {
  const asking = after(NO_PAYMENT, chosen, asks);
  expect(asking).toMatchObject({ phase: 'over', over: 'just-paid', before: justPaid, sure: [] });
  expect(after(asking, chosen)).toMatchObject({ phase: 'loading', before: null, sure: [], accepted: [] });
  expect(after(asking, refresh)).toMatchObject({ phase: 'loading', before: null, sure: ['vip'], accepted: ['M0'] });
  // A buyer who has a QR code was asked before they got it.
  expect(after(waiting, chosen).sure).toEqual(['vip']);
});

it('takes the code away when the same kind was paid elsewhere, and an answer that comes later only joins the orders', () => {
  const asking = after(waiting, asks);
  expect(asking).toMatchObject({ phase: 'over', over: 'just-paid', code: null, sure: [] });
  const late = after(NO_PAYMENT, chosen, asks, issued(1, 'M1'));
  expect(late).toMatchObject({ phase: 'over', code: null, sure: [], issued: [{ outTradeNo: 'M1' }] });
});

it('asks about a payment once: the stream may tell of it again', () => {
  const wanted = after(waiting, asks, refresh);
  expect(after(wanted, asks)).toBe(wanted);
  const other = { ...justPaid, outTradeNo: 'M9' };
  expect(after(wanted, { type: 'paid-before', kind: 'vip', before: other })).toMatchObject({ before: other });
});

it('leaves the code of a membership alone when coins were paid elsewhere', () => {
  const told = after(waiting, { type: 'paid-before', kind: 'coin', before: justPaid });
  expect(told).toMatchObject({ phase: 'waiting', code: { outTradeNo: 'M1' }, sure: ['vip'] });
});

it('remembers money that was put aside when another plan is chosen, until the buyer wants to buy all the same', () => {
  const aside: PayEvent = { type: 'told', outTradeNo: 'M1', status: 'mismatch' };
  const covered = after(waiting, aside);
  expect(covered).toMatchObject({ over: 'mismatch', before: { outTradeNo: 'M1' }, sure: [] });
  const found = [{ over: 'mismatch', outTradeNo: 'M1', name: '年度会员' } as const];
  const chosenAgain = after(covered, chosen);
  expect(unaskedOf(chosenAgain, found)).toEqual(found[0]);
  const wanted = after(covered, refresh);
  expect(unaskedOf(wanted, found)).toBeNull();
  const paying = after(wanted, issued(wanted.round, 'M2'));
  expect(after(paying, aside)).toBe(paying);
  expect(after(paying, { ...aside, outTradeNo: 'M2' })).toMatchObject({ over: 'mismatch' });
});

it('covers the code of coins for a membership that was put aside, and asks for the membership again', () => {
  const choosing = after(waiting, coins);
  const shown = { ...code('M2'), kind: 'coin' } as const;
  const paying = after(choosing, { type: 'issued', round: choosing.round, code: shown, at: 0, variant: 'site' });
  expect(after(paying, { type: 'told', outTradeNo: 'M1', status: 'mismatch' })).toMatchObject({
    over: 'mismatch',
    sure: ['coin'],
  });
});

it('finds what a buyer has to know of before there is another code: put aside, just paid, going back', () => {
  const order = (trade_no: string, status: OrderStatus, facts: { just_paid?: 1; kind?: 'coin' } = {}) => ({
    trade_no,
    status,
    orderItemName: '年度会员',
    kind: 'vip' as const,
    just_paid: 0 as const,
    ...facts,
  });
  const orders = [
    order('M7', 'refunding'),
    order('M6', 'fulfilled', { just_paid: 1 }),
    order('M5', 'mismatch', { kind: 'coin' }),
    order('M4', 'mismatch'),
    order('M3', 'refunded'),
    order('M2', 'fulfilled'),
  ];
  expect(paidBeforeOf(orders, 'vip').map(({ over, outTradeNo }) => [over, outTradeNo])).toEqual([
    ['mismatch', 'M4'],
    ['just-paid', 'M6'],
    ['refunding', 'M7'],
  ]);
  expect(paidBeforeOf(orders, 'coin').map(({ outTradeNo }) => outTradeNo)).toEqual(['M5']);
});

it('counts 200 polls in the site dialog, and starts again with a refresh', () => {
  const polled: PayEvent = { type: 'polled', at: 1, variant: 'site' };
  const almost = after(waiting, ...Array.from({ length: 199 }, () => polled));
  expect(almost.phase).toBe('waiting');
  const over = after(almost, polled);
  expect(over).toMatchObject({ phase: 'over', over: 'expired' });
  expect(after(over, { type: 'refresh' }, issued(2, 'M2'))).toMatchObject({ phase: 'waiting', polls: 0 });
});

it('gives up by the clock after five minutes in the site dialog, and when the order expires in the user centre', () => {
  const at = (time: number, variant: PayVariant): PayEvent => ({ type: 'polled', at: time, variant });
  expect(after(waiting, at(299_999, 'site')).phase).toBe('waiting');
  expect(after(waiting, at(300_000, 'site')).phase).toBe('over');
  const inUserCentre = after(NO_PAYMENT, chosen, issued(1, 'M1', 'user-centre'));
  expect(after(inUserCentre, at(HOUR - 1, 'user-centre')).phase).toBe('waiting');
  expect(after(inUserCentre, at(HOUR, 'user-centre')).phase).toBe('over');
});

it.each([
  ['closed', 'expired'],
  ['mismatch', 'mismatch'],
  ['refunding', 'refunded'],
  ['refunded', 'refunded'],
] as const)('covers the code of an order that is %s', (status, over) => {
  expect(after(waiting, { type: 'told', outTradeNo: 'M1', status })).toMatchObject({ phase: 'over', over });
  expect(after(waiting, { type: 'told', outTradeNo: 'M0', status })).toBe(waiting);
});

it('covers the code when money for another order of the dialog is put aside, and when a code that has expired was paid', () => {
  const second = after(waiting, chosen, issued(2, 'M2'));
  expect(after(second, { type: 'told', outTradeNo: 'M1', status: 'mismatch' })).toMatchObject({ over: 'mismatch' });
  expect(after(second, { type: 'told', outTradeNo: 'M1', status: 'refunded' })).toBe(second);
  const expired = after(waiting, { type: 'polled', at: HOUR, variant: 'site' });
  expect(after(expired, { type: 'told', outTradeNo: 'M1', status: 'mismatch' })).toMatchObject({ over: 'mismatch' });
  const aside = after(waiting, { type: 'told', outTradeNo: 'M1', status: 'mismatch' });
  expect(after(aside, { type: 'told', outTradeNo: 'M1', status: 'closed' })).toBe(aside);
});

it('covers a code that is still on its way when money is put aside meanwhile; the code then only joins the orders', () => {
  const aside: PayEvent = { type: 'told', outTradeNo: 'M1', status: 'mismatch' };
  const covered = {
    phase: 'over',
    over: 'mismatch',
    before: { outTradeNo: 'M1' },
    code: null,
    failure: null,
    sure: [],
  };
  const loading = after(waiting, { type: 'chosen', choice: { itemId: 5, kind: 'vip', channel: 'wechat' } });
  const told = after(loading, aside);
  expect(told).toMatchObject(covered);
  expect(after(told, issued(loading.round, 'M2'))).toMatchObject({
    ...covered,
    issued: [{ outTradeNo: 'M1' }, { outTradeNo: 'M2' }],
  });
  const failure = { text: '切换得太快了', retryAt: HOUR };
  expect(after(loading, { type: 'failed', round: loading.round, failure }, aside)).toMatchObject(covered);
  // A payment of minutes ago is asked about already: of the two, the one without goods matters more.
  expect(after(waiting, asks, aside)).toMatchObject(covered);
  // Nothing is chosen: the next choice of the kind asks.
  expect(after(waiting, { type: 'chosen', choice: null }, aside)).toMatchObject({ phase: 'idle', sure: [] });
});

it('answers a buyer who asks by what is known alone', () => {
  const M1 = (status: OrderStatus | null) => ({ outTradeNo: 'M1', status });
  const M2 = (status: OrderStatus | null) => ({ outTradeNo: 'M2', status });
  expect(lookAnswerOf([M2('pending'), M1('closed')], 'M2')).toBe('unpaid');
  expect(lookAnswerOf([M2('pending'), M1(null)], 'M2')).toBe('unknown');
  expect(lookAnswerOf([M2(null), M1('fulfilled')], 'M2')).toBe('paid');
  expect(lookAnswerOf([M2(null), M1('mismatch')], 'M2')).toBe('told');
  expect(lookAnswerOf([M2('refunding')], 'M2')).toBe('told');
  expect(lookAnswerOf([M2('pending'), M1('refunded')], 'M2')).toBe('unpaid');
  // The buyer was told that order M1 was put aside, and asked for the code of another order all the same.
  expect(lookAnswerOf([M2('pending'), M1('mismatch')], 'M2', ['M1'])).toBe('unpaid');
});

it('asks at every fourth poll of the site dialog where the shown order stands', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7].filter((polls) => asksStatus({ polls }))).toEqual([3, 7]);
});

it('forgets the failure of an earlier choice', () => {
  const failure = { text: '支付服务繁忙', retryAt: null };
  expect(after(NO_PAYMENT, chosen, { type: 'failed', round: 1, failure })).toMatchObject({ phase: 'failed', failure });
  expect(after(NO_PAYMENT, chosen, chosen, { type: 'failed', round: 1, failure }).phase).toBe('loading');
});

it('polls both platforms in turn, and among the orders of a platform the newest most often', () => {
  const orders = [code('M4'), code('M3', 'alipay'), code('M2'), code('M20261123010203ABCDEFGHJK')];
  const polls = Array.from({ length: 8 }, (_, polled) => sitePoll({ polls: polled, issued: orders }));
  expect(polls.map(({ payPlatform }) => payPlatform)).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  expect(polls.map((poll) => poll.out_trade_no)).toEqual([
    'M4',
    'M3',
    'M2',
    'M3',
    'M4',
    'M3',
    'M20261123010203ABCDEFGHJK',
    'M3',
  ]);
  expect(userCentrePoll({ polls: 1, issued: orders })?.outTradeNo).toBe('M3');
  expect(userCentrePoll({ polls: 2, issued: orders })?.outTradeNo).toBe('M4');
});

it('asks a platform without an order here since the first order of the dialog, by the clock of the server', () => {
  const first = 'M20261123010203ABCDEFGHJK';
  expect(sitePoll({ polls: 1, issued: [code(first)] })).toEqual({
    payPlatform: 1,
    since: Date.parse('2026-11-22T17:02:03Z') / 1_000,
  });
  expect(orderedAt('nonsense')).toBe(0);
});

it('believes the expiry of the server within the age that an order can have, whatever the clock of the browser says', () => {
  const now = 1_000_000;
  expect(expiryOf((now + 1_700_000) / 1_000, now)).toBe(now + 1_700_000);
  expect(expiryOf((now - HOUR) / 1_000, now)).toBe(now + 1_500_000);
  expect(expiryOf((now + HOUR) / 1_000, now)).toBe(now + 1_800_000);
});

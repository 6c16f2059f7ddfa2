import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readKeptOrders, wishOf, writeKeptOrders, type KeptOrder } from './kept-orders.ts';

const order: KeptOrder = {
  itemId: 4,
  kind: 'vip',
  channel: 'wechat',
  content: 'weixin://wxpay/bizpayurl?pr=1',
  outTradeNo: 'M202611230830001A2B3C4D5E',
  totalFen: 29_800,
  expiresAt: 2_000,
  name: '年度会员',
  continues: { key: 'download:9' },
  page: '/detail/9',
  userId: 7,
};

const notes = new Map<string, string>();
beforeEach(() => {
  notes.clear();
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (name: string) => notes.get(name) ?? null,
      setItem: (name: string, text: string) => void notes.set(name, text),
      removeItem: (name: string) => void notes.delete(name),
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('the orders of a tab', () => {
  test('are read as they were written, until they expire', () => {
    writeKeptOrders([order, { ...order, continues: null }]);
    expect(readKeptOrders(1_999)).toEqual([order, { ...order, continues: null }]);
    expect(readKeptOrders(2_000)).toEqual([]);
    writeKeptOrders([]);
    expect(notes.size).toBe(0);
  });

  test.each([
    ['no JSON', '{'],
    ['no list', '{}'],
    ['another build', JSON.stringify([{ ...order, userId: undefined }])],
    ['a page of another site', JSON.stringify([{ ...order, page: '//example.com/' }])],
    [
      'a wish on another site',
      JSON.stringify([{ ...order, continues: { key: null, address: 'https://example.com/' } }]),
    ],
    ['an unknown channel', JSON.stringify([{ ...order, channel: 'cash' }])],
  ])('a note that is %s counts as none', (_what, note) => {
    notes.set('ceku-orders', note);
    expect(readKeptOrders(0)).toEqual([]);
  });

  test('a wish goes on at the page where it was wanted', () => {
    expect(wishOf(order, '/detail/9')).toEqual({ key: 'download:9' });
    expect(wishOf(order, '/index')).toEqual({ key: 'download:9', address: '/detail/9' });
    const placed = { ...order, continues: { key: null, address: '/detail/9#p=12' } };
    expect(wishOf(placed, '/index')).toEqual(placed.continues);
    expect(wishOf({ ...order, continues: null }, '/index')).toBeNull();
  });
});

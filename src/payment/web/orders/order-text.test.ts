import { describe, expect, test } from 'vitest';
import type { OrderItem } from '../../contract.ts';
import {
  amountText,
  channelText,
  dueText,
  invoiceLabel,
  monthsText,
  noteOf,
  toneOf,
  validityText,
} from './order-text.ts';

const order = (facts: Partial<OrderItem> = {}): OrderItem => ({
  id: 1,
  trade_no: 'M202603020030000000000000',
  orderItemName: '年度会员',
  validMonth: 12,
  startDate: '2026-03-02',
  total_fee: 29_800,
  pay_platform: 0,
  status: 'fulfilled',
  status_text: '已支付',
  create_time: 1_772_382_600,
  item_id: 2,
  kind: 'vip',
  expire_at: 0,
  refund_time: 0,
  refund_reason: '',
  refund_elsewhere: 0,
  invoice: null,
  can_invoice: 1,
  just_paid: 0,
  ...facts,
});

const invoice: NonNullable<OrderItem['invoice']> = {
  status: 'requested',
  status_text: '开票中',
  title: '上海策划有限公司',
  tax_no: '91310000MA1FL00001',
  email: 'f***@example.com',
  invoice_no: '',
  reason: '',
  create_time: 1_772_382_700,
};

describe('the texts of an order', () => {
  test.each([
    [29_800, '¥298.00'],
    [1, '¥0.01'],
    [999_900, '¥9999.00'],
  ])('%d fen are %s', (total_fee, text) => expect(amountText(order({ total_fee }))).toBe(text));

  test.each(['created', 'pending', 'closed'] as const)('nothing was paid for one that is %s', (status) => {
    const due = status === 'closed' ? '' : '应付 ¥298.00';
    expect([amountText(order({ status })), dueText(order({ status }))]).toEqual(['-', due]);
    expect(dueText(order())).toBe('');
  });

  test('0 is WeChat Pay, 1 Alipay (C-108); coins have no months (C-58)', () => {
    expect([channelText(order()), channelText(order({ pay_platform: 1 }))]).toEqual(['微信支付', '支付宝']);
    expect([monthsText(order()), monthsText(order({ validMonth: 0 }))]).toEqual(['12', '-']);
  });

  test.each([
    [{ status: 'pending', expire_at: 1_772_384_400 }, '请在 01:00 前支付', 'wanted'],
    [{ status: 'created', expire_at: 1_772_384_400 }, '请在 01:00 前支付', 'wanted'],
    [{ status: 'fulfilled' }, '', 'done'],
    [{ status: 'closed' }, '', 'over'],
    [{ status: 'mismatch' }, '已收到付款，客服核实中', 'moving'],
    [{ status: 'refunding' }, '款项将原路退回', 'moving'],
    [{ status: 'refunded', refund_time: 1_772_382_600 }, '2026-03-02 原路退回', 'over'],
    [{ status: 'refunded' }, '款项已原路退回', 'over'],
    [{ status: 'refunding', refund_reason: 'duplicate' }, '重复支付，款项将原路退回', 'moving'],
    [{ status: 'refunding', refund_reason: 'mismatch' }, '金额不符，款项将原路退回', 'moving'],
    [{ status: 'refunded', refund_reason: 'mismatch' }, '金额不符，款项已原路退回', 'over'],
    [{ status: 'refunded', refund_time: 1_772_382_600, refund_elsewhere: 1 }, '款项已退回', 'over'],
    [
      { status: 'refunded', refund_time: 1_772_382_600, refund_reason: 'duplicate' },
      '重复支付，2026-03-02 原路退回',
      'over',
    ],
  ] as const)('%j says %s', (facts, note, tone) => {
    expect([noteOf(order(facts)), toneOf(order(facts))]).toEqual([note, tone]);
  });

  test.each([
    [0, ''],
    [12, '12 个月'],
    [1_200, '终身'],
  ])('a membership of %d months: %s', (validMonth, text) => expect(validityText(order({ validMonth }))).toBe(text));

  test('the button of the invoice says its state; an order that has none has no button', () => {
    expect(invoiceLabel(order())).toBe('申请发票');
    expect(invoiceLabel(order({ invoice, can_invoice: 0 }))).toBe('开票中');
    expect(invoiceLabel(order({ status: 'closed', can_invoice: 0 }))).toBeNull();
  });
});

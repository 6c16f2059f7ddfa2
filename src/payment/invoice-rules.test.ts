import { describe, expect, test } from 'vitest';
import {
  cleanTaxNo,
  cleanText,
  invoiceErrors,
  invoiceStateOf,
  isInvoiceNo,
  maskEmail,
  mayRequestInvoice,
  type InvoiceFields,
} from './invoice-rules.ts';

const FIELDS: InvoiceFields = {
  kind: 'company',
  title: '上海策划有限公司',
  taxNo: '91310000MA1FL00001',
  email: 'finance@example.com',
};

describe('what a buyer writes into the form', () => {
  test.each([
    [{}, []],
    [{ title: '腾达 (上海) 策划·Co., Ltd.' }, []],
    [{ taxNo: '1'.repeat(15) }, []],
    [{ taxNo: 'A'.repeat(20) }, []],
    [{ taxNo: '1'.repeat(14) }, ['taxNo']],
    [{ taxNo: '１３１０００００００００００００００' }, ['taxNo']],
    [{ kind: 'person' as const, title: '王明', taxNo: '' }, []],
    [{ kind: 'person' as const, taxNo: 'x' }, []],
    [{ email: 'first.last+tax@mail.example.co' }, []],
    [{ email: '财务@example.com' }, ['email']],
    [{ email: 'a@-example.com' }, ['email']],
    [{ title: '\u2800\u2800' }, ['title']],
    [{ title: '\u3164\u3164' }, ['title']],
    [{ title: '', taxNo: '', email: '' }, ['title', 'taxNo', 'email']],
  ])('%j has errors in %j', (changed, fields) => {
    expect(invoiceErrors({ ...FIELDS, ...changed }).map(({ field }) => field)).toEqual(fields);
  });

  test('a tax number is cleaned as it was pasted', () => {
    expect(cleanTaxNo(' ９１310000-ma1fl 00001\n')).toBe('91310000MA1FL00001');
    expect(cleanTaxNo('\u202d91310000MA1FL00001\u202c\u200b')).toBe('91310000MA1FL00001');
    expect(cleanText('\ufeff 上海策划\u200b有限公司\u202c ')).toBe('上海策划有限公司');
  });
});

test.each([
  ['finance@example.com', 'f***@example.com'],
  ['a@b.cn', 'a***@b.cn'],
  ['', ''],
])('%s is shown as %s', (email, shown) => expect(maskEmail(email)).toBe(shown));

test.each([
  ['12345678', true],
  ['26312000000012345678', true],
  ['2631200000001234567', false],
  ['１２３４５６７８', false],
])('%s is an invoice number: %s', (text, is) => expect(isInvoiceNo(text)).toBe(is));

test('a request of a refunded order is cancelled; what was answered stays as it was answered', () => {
  expect(invoiceStateOf('requested', 'fulfilled')).toBe('requested');
  for (const order of ['refunding', 'refunded'] as const) {
    expect(invoiceStateOf('requested', order)).toBe('cancelled');
    for (const state of ['issued', 'refused', 'voided'] as const) expect(invoiceStateOf(state, order)).toBe(state);
  }
});

test('an invoice may be asked for of a paid order, once, and again after a refusal', () => {
  expect([null, 'refused', 'requested', 'issued', 'voided'].map((state) => may('fulfilled', state))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  for (const order of ['created', 'pending', 'closed', 'mismatch', 'refunding', 'refunded'] as const)
    expect(may(order, null)).toBe(false);
});

// Safe: the texts above are states.
const may = (order: Parameters<typeof mayRequestInvoice>[0], state: string | null) =>
  mayRequestInvoice(order, state as Parameters<typeof mayRequestInvoice>[1]);

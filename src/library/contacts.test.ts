import { expect, it } from 'vitest';
import { withoutContacts } from './contacts.ts';

it.each([
  ['联系人 王芳 13812345678 欢迎来电', '联系人 王芳 欢迎来电'],
  ['电话：010-88886666转801 地址：北京', ' 地址：北京'],
  ['Tel: +86 138-1234-5678', ' '],
  ['热线400-820-8820', ' '],
  ['邮箱: li.si@example.com.cn。', ' 。'],
  ['(0755) 26001234', ' '],
  ['联系人王芳13812345678wang@example.com', '联系人王芳 '],
  ['联系人王芳138 1234 5678wang@example.com', '联系人王芳 '],
  ['010-12345678wang@example.com。', ' 。'],
  ['热线400-800-1234kefu@example.com', ' '],
  ['（010）12345678wang@example.com', ' '],
  ['（010）12345678转801wang@example.com', ' '],
])('takes contacts out of %j', (text, rest) => expect(withoutContacts(text)).toBe(rest));

it.each(['预算 13812 万元', '2024-06-18 大促', '客单价 400 元', '编号 20240618123456', '138 1234 家门店', '600519'])(
  'leaves %j',
  (text) => expect(withoutContacts(text)).toBe(text),
);

it.each(['a', '.', 'a@', '-', 't ', '1', '4001234567a', '4001234567@a', '（010）12345678a.'])(
  'reads megabytes of %j in one pass',
  (text) => {
    const long = `${text.repeat(4_000_000 / text.length)} 电话：13812345678`;
    expect(withoutContacts(long)).toMatch(/ $/);
  },
);

it('takes out an address behind a line of dots', () =>
  expect(withoutContacts(`邮箱${'.'.repeat(99)}li@example.com。`)).toBe(' 。'));

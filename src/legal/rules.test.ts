import { expect, it } from 'vitest';
import { cleanText, documentIdIn, isAddressOf, privacyErrors, receiptNo, reportErrors, STATEMENT } from './rules.ts';

const report = {
  doc_url: '/detail/9',
  type: 'copyright',
  owner: '某某文化公司',
  contact: '010-12345678，北京市朝阳区某某路 1 号',
  proof: '第 3 至 8 页是本公司的设计稿，登记号 2024-F-0001',
  statement: STATEMENT,
};

it('takes a report that has everything the law asks for', () => {
  expect(reportErrors(report)).toEqual([]);
  expect(reportErrors({ ...report, contact: '上海市浦东新区某某大道 2 号 law@example.com' })).toEqual([]);
});

it('names every field that is missing, in the order of the form', () => {
  const empty = { doc_url: '', type: '', owner: '', contact: '', proof: '', statement: '' };
  expect(reportErrors(empty).map(({ field }) => field)).toEqual(Object.keys(empty));
});

it.each([
  [{ doc_url: 'https://example.com/' }, 'doc_url', /网址/],
  [{ doc_url: `/detail/9?${'x'.repeat(500)}` }, 'doc_url', /最多 500 个字/],
  [{ type: 'constructor' }, 'type', /请选择/],
  [{ owner: '我' }, 'owner', /至少 2 个字/],
  [{ contact: '北京市朝阳区某某路' }, 'contact', /手机号、电话或邮箱/],
  [{ contact: '13800001234' }, 'contact', /通讯地址/],
  [{ contact: `13800001234 ${'路'.repeat(300)}` }, 'contact', /最多 300 个字/],
  [{ proof: '抄袭' }, 'proof', /至少 10 个字/],
  [{ proof: '抄'.repeat(3_001) }, 'proof', /最多 3000 个字/],
  [{ statement: '' }, 'statement', /声明/],
])('refuses a report with %j', (changed, field, message) => {
  expect(reportErrors({ ...report, ...changed })).toEqual([{ field, message: expect.stringMatching(message) }]);
});

it.each([
  [{ type: 'access', contact: 'a@example.com', content: '请提供我的信息' }, []],
  [{ type: '', contact: '', content: '' }, ['type', 'contact', 'content']],
  [{ type: 'delete', contact: '微信上说', content: '删' }, ['contact', 'content']],
])('a privacy request %j has wrong fields %j', (fields, wrong) => {
  expect(privacyErrors(fields).map(({ field }) => field)).toEqual(wrong);
});

it.each([
  ['/detail/9', 9],
  [' https://ceku.example.com/detail/9?invite=3#p=12 ', 9],
  ['ceku.example.com/detail/9/', 9],
  ['https://ceku.example.com/detail?fid=9', 9],
  ['9', 9],
  ['', 0],
  ['/detail/', 0],
  ['/detail/9x', 0],
  ['/report?search_key=9', 0],
  ['javascript:alert(1)', 0],
])('the address %j names document %i', (address, id) => {
  expect(documentIdIn(address)).toBe(id);
});

it.each([
  ['9', true],
  ['/detail/9', true],
  ['https://ceku.example.com/detail/9?invite=3', true],
  ['http://CEKU.example.com/detail/9', true],
  ['ceku.example.com/detail/9', true],
  ['https://other.example.com/detail/9', false],
  ['other.example.com/detail/9', false],
  ['//other.example.com/detail/9', false],
  ['/\\other.example.com/detail/9', false],
  ['https:other.example.com/detail/9', false],
  ['https://ceku.example.com@other.example.com/detail/9', false],
  ['https://ceku.example.com.other.example/detail/9', false],
  ['ftp://ceku.example.com/detail/9', false],
  ['http://[/detail/9', false],
  ['方案：https://ceku.example.com/detail/9', true],
  ['https://ceku.example.com/detail/1 https://other.example.com/detail/9', false],
])('%j is an address of ceku.example.com: %s', (address, isOwn) => {
  expect(isAddressOf(['ceku.example.com'], address)).toBe(isOwn);
});

it('makes receipt numbers that can be read out', () => {
  expect(receiptNo('QS', '2026-11-23', new Uint8Array([0, 1, 2, 30, 31, 32, 254, 255]))).toBe('QS20261123-234Z2389');
});

it('keeps the lines of a text, and nothing that a terminal or a page obeys', () => {
  expect(cleanText(' 一\r\n二\n\n\n\n三\u0000\u001b[31m\u202e\ud800 ')).toBe('一\n二\n\n三[31m\ufffd');
  expect(['\u3164\u3164', '\u2800\n\ufe0f'].map(cleanText)).toEqual(['', '']);
});

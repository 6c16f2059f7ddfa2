import { expect, test } from 'vitest';
import { clientAddress, tokenOf } from './client-address.ts';

test.each([
  ['no proxy of ours: what a visitor wrote counts for nothing', '9.9.9.9', '1.1.1.1', 0, '9.9.9.9'],
  ['one proxy: its entry, whatever stands before it', '127.0.0.1', '1.1.1.1, 5.5.5.5', 1, '5.5.5.5'],
  ['two proxies', '127.0.0.1', '1.1.1.1, 5.5.5.5, 10.0.0.1', 2, '5.5.5.5'],
  ['fewer entries than proxies', '10.0.0.1', '5.5.5.5', 2, '10.0.0.1'],
  ['an empty entry', '10.0.0.1', '1.1.1.1, ', 1, '10.0.0.1'],
  ['a header of one blank', '10.0.0.1', ' ', 1, '10.0.0.1'],
  ['no header', '::ffff:10.0.0.1', null, 1, '10.0.0.1'],
  ['with its port', '127.0.0.1', '5.5.5.5:40001', 1, '5.5.5.5'],
  ['IPv6 in brackets', '127.0.0.1', '[2001:db8::7]:40001', 1, '2001:db8::7'],
  ['IPv6 bare', '127.0.0.1', '2001:db8::7', 1, '2001:db8::7'],
  ['IPv4 inside IPv6, with its port', '127.0.0.1', '[::FFFF:5.5.5.5]:1', 1, '5.5.5.5'],
])('%s', (_what, socket, forwarded, proxies, address) => {
  expect(clientAddress(socket, forwarded, proxies)).toBe(address);
});

test.each([
  ['its header', { token: 'abc' }, 'abc'],
  ['a Bearer', { authorization: 'Bearer abc' }, 'abc'],
  ['a Bearer in lower case', { authorization: 'bearer  abc' }, 'abc'],
  ['the bare header', { authorization: 'abc' }, 'abc'],
  ['its header before a Bearer', { token: 'abc', authorization: 'Bearer other' }, 'abc'],
  ['a Bearer where its header is empty', { token: '', authorization: 'Bearer abc' }, 'abc'],
  ['none for the password of a proxy in front', { authorization: 'Basic dXNlcjpwYXNz' }, ''],
  ['none', {}, ''],
])('the token of a call is %s', (_what, headers: Record<string, string>, token) => {
  expect(tokenOf((name) => headers[name] ?? null)).toBe(token);
});

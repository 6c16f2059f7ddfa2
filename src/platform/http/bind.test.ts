import { expect, it } from 'vitest';
import { addressAt } from './bind.ts';

it.each([
  ['localhost', 'http://localhost:3000'],
  ['192.168.1.20', 'http://192.168.1.20:3000'],
  ['::1', 'http://[::1]:3000'],
])('a server on %s is opened at %s', (host, address) => {
  expect(addressAt(host, 3000)).toBe(address);
});

import { expect, test } from 'vitest';
import { cleanPhone } from './phone-number.ts';

test.each([
  ['13800138000', '13800138000'],
  [' 138 0013-8000 ', '13800138000'],
  ['+86 138 0013 8000', '13800138000'],
  ['008613800138000', '13800138000'],
  ['8613800138000', '13800138000'],
  // Not a number of the country: left as it is, to be refused.
  ['+1 650 253 0000', '+16502530000'],
  ['861380013', '861380013'],
])('%s', (text, phone) => {
  expect(cleanPhone(text)).toBe(phone);
});

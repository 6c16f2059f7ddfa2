import { expect, test } from 'vitest';
import { instantOf, shanghaiTimeOf } from './alipay-values.ts';

test('times are written in Shanghai whatever the zone of the machine is', () => {
  expect(shanghaiTimeOf(Date.parse('2026-11-22T16:30:05Z'))).toBe('2026-11-23 00:30:05');
  expect(instantOf('2026-11-23 00:30:05')?.toISOString()).toBe('2026-11-22T16:30:05.000Z');
  expect(instantOf('2026-11-23 00:30:05.250')?.toISOString()).toBe('2026-11-22T16:30:05.250Z');
  expect(instantOf('2028-02-29 23:59:59')?.toISOString()).toBe('2028-02-29T15:59:59.000Z');
});

test.each([
  '2026-11-23T00:30:05',
  '2026-11-23',
  '2026-02-30 00:00:00',
  '2026-13-01 00:00:00',
  '2026-11-23 24:00:01',
  'now',
  '',
  null,
  5,
])('%j is no time', (text) => {
  expect(instantOf(text)).toBeNull();
});

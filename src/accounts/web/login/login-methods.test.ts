import { expect, test } from 'vitest';
import { kindsOf, waysOf } from './login-methods.ts';

test.each([
  [{ mini: 1, offiaccount: 1, sms: 1 }, ['scan', 'phone', 'username'], ['mini', 'official']],
  [{ mini: 0, offiaccount: 1, sms: 1 }, ['scan', 'phone', 'username'], ['official']],
  [{ mini: 1, offiaccount: 0, sms: 0 }, ['scan', 'phone', 'username'], ['mini']],
  // Without WeChat the phone comes first.
  [{ mini: 0, offiaccount: 0, sms: 1 }, ['phone', 'username'], []],
] as const)('%o', (methods, ways, kinds) => {
  expect(waysOf(methods)).toEqual(ways);
  expect(kindsOf(methods)).toEqual(kinds);
});

import { expect, it } from 'vitest';
import { loadOnce } from './load-once.ts';

it('loads once for all callers', async () => {
  let loads = 0;
  const load = loadOnce(async () => ++loads);
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

it('loads again after a failure', async () => {
  let isAway = true;
  const load = loadOnce(async () => {
    if (isAway) throw new Error('away');
    return 'here';
  });
  const failed = await Promise.allSettled([load(), load()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await load()).toBe('here');
});

import { expect, it } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

it('runs at most the given number at a time, the others in order of arrival, also after a task that fails', async () => {
  const limit = createConcurrencyLimit(2);
  const begun: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const start = (name: number) =>
    limit.run(async () => {
      begun.push(name);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      await end.promise;
      return name;
    });
  const [first, second, third, fourth] = [start(1), start(2), start(3), start(4)];
  expect(begun).toEqual([1, 2]);
  expect(limit.waiting()).toBe(2);

  ends[0]?.reject(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  expect(begun).toEqual([1, 2, 3]);
  expect(limit.waiting()).toBe(1);

  ends[1]?.resolve();
  ends[2]?.resolve();
  expect(await Promise.all([second, third])).toEqual([2, 3]);
  ends[3]?.resolve();
  expect(await fourth).toBe(4);

  // All places are free again.
  const again = [start(5), start(6)];
  expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
  ends[4]?.resolve();
  ends[5]?.resolve();
  expect(await Promise.all(again)).toEqual([5, 6]);
});

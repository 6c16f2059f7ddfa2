import { expect, it } from 'vitest';
import { foldVersions } from './fold-versions.ts';

const item = (id: number, create_time: number, group: string | null = null) => ({ id, create_time, group });
const fold = (...items: ReturnType<typeof item>[]) =>
  foldVersions(items, ({ group }) => group).map(({ item: { id }, others }) => [id, ...others.map((other) => other.id)]);

it('the newest of a plan stands at the place of the best, the others below it, the newer first', () => {
  expect(fold(item(1, 10, 'a'), item(2, 5), item(3, 30, 'a'), item(4, 20, 'a'))).toEqual([[3, 4, 1], [2]]);
});

it('of the same second the later number is newer', () => {
  expect(fold(item(7, 10, 'a'), item(9, 10, 'a'))).toEqual([[9, 7]]);
});

it('plans with one version and other groups stay apart', () => {
  expect(fold(item(1, 1), item(2, 1), item(3, 1, 'a'), item(4, 1, 'b'))).toEqual([[1], [2], [3], [4]]);
  expect(fold()).toEqual([]);
});

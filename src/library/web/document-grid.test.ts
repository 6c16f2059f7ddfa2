import { expect, test } from 'vitest';
import { newestOf } from './document-grid.tsx';

const file = (id: number, create_time: number, is_new: 0 | 1 = 1) => ({ id, create_time, is_new });

test('the three newest of a list are marked, in any order of the list', () => {
  expect([...newestOf([file(1, 10), file(2, 50), file(3, 20), file(4, 40), file(5, 30)])]).toEqual([2, 4, 5]);
});

test('of equally new ones the first of the list', () => {
  expect([...newestOf([file(9, 10), file(8, 10), file(7, 10), file(6, 10)])]).toEqual([9, 8, 7]);
});

test('documents that are not new are never marked', () => {
  expect([...newestOf([file(1, 10, 0), file(2, 50), file(3, 60, 0)])]).toEqual([2]);
  expect([...newestOf([])]).toEqual([]);
});

import { expect, it } from 'vitest';
import { itemOfHash, purchaseHash } from './purchase.tsx';

it('names an item in the link for another device', () => {
  expect(itemOfHash(purchaseHash(4))).toBe(4);
});

it.each(['', '#coins', '#buy=', '#buy=4x', '#buy=-1', '#buy=99999999999999999999', '#x=#buy=4'])(
  'buys nothing for the hash %s',
  (hash) => {
    expect(itemOfHash(hash)).toBeNull();
  },
);

import type { WordCounting } from './store.ts';

const MIN_NEW = 50;
const GROWTH = 0.05;

/** Whether the words must be counted again: the logarithms hardly change before the library has grown by this share. */
export function isRecountDue({ countedFiles, newFiles }: WordCounting): boolean {
  return newFiles >= Math.max(MIN_NEW, countedFiles * GROWTH);
}

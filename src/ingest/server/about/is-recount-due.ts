import type { WordCounting } from './store.ts';

const MIN_NEW = 50;
const GROWTH = 0.05;

/** Whether words are to be counted anew: before the library has grown by that much, logarithms hardly move. */
export function isRecountDue({ countedFiles, newFiles }: WordCounting): boolean {
  return newFiles >= Math.max(MIN_NEW, countedFiles * GROWTH);
}

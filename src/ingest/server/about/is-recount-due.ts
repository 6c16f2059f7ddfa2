import type { WordCounting } from './store.ts';

/** A small library is counted every so many contents, a large one when it has grown by a twentieth: logarithms hardly move before. */
const LEAST_NEW = 50;
const GROWTH = 0.05;

export function isRecountDue({ countedFiles, newFiles }: WordCounting): boolean {
  return newFiles >= Math.max(LEAST_NEW, countedFiles * GROWTH);
}

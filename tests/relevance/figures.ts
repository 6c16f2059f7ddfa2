import type { Judged } from './judgements.ts';

/** Each from 0 to 1. */
export type Figures = {
  /** Gain 2^grade − 1, discounted by log2 of the place, beside the best order there could be. */
  ndcg: number;
  /** Share of what is good (grade 2 and 3, ten at most) that stands among the first ten. */
  recall: number;
  /** One over the place of the first document that has the highest grade of its query; 0 beyond the tenth. */
  mrr: number;
};

export const FIGURES = ['ndcg', 'recall', 'mrr'] as const;
const DEPTH = 10;
const GOOD = 2;

/** Returns the figures of one query. `found` are the files that search answered, best first. Where nothing is wanted, only an empty answer is right. */
export function figuresOf({ grades }: Judged, found: string[]): Figures {
  if (grades.size === 0) {
    const honest = found.length === 0 ? 1 : 0;
    return { ndcg: honest, recall: honest, mrr: honest };
  }
  const shown = found.slice(0, DEPTH);
  const gained = shown.map((file) => grades.get(file) ?? 0);
  const best = [...grades.values()].sort((a, b) => b - a);
  // Where no file is better than related, related counts as good.
  const good = Math.min(GOOD, best[0] ?? 0);
  const isGood = (grade: number) => grade >= good;
  const first = gained.indexOf(best[0] ?? 0);
  return {
    ndcg: gainOf(gained) / gainOf(best.slice(0, DEPTH)),
    recall: gained.filter(isGood).length / Math.min(DEPTH, best.filter(isGood).length),
    mrr: first < 0 ? 0 : 1 / (first + 1),
  };
}

const gainOf = (grades: number[]) => grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);

/** Means of many queries. */
export function meanOf(figures: Figures[]): Figures {
  const mean = (key: keyof Figures) => figures.reduce((sum, each) => sum + each[key], 0) / Math.max(figures.length, 1);
  return { ndcg: mean('ndcg'), recall: mean('recall'), mrr: mean('mrr') };
}

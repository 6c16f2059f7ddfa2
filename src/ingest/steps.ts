/**
 * The way of one accepted file, in order. `store` is done when the file is taken in; the rest is the work of the job.
 * An optional step may fail without keeping the document off the shelf.
 */
export const STEPS = ['store', 'convert', 'render', 'outline', 'charts', 'fingerprint', 'publish'] as const;
export type StepName = (typeof STEPS)[number];

export type StepState = 'running' | 'done' | 'failed' | 'waiting';

/** What a step says of its result, for operators: small, JSON. */
export type StepDetail = Record<string, unknown>;

/** Percent of the way that is behind a file once these steps are done. */
export function progressOf(done: ReadonlySet<StepName>): number {
  return Math.round((STEPS.filter((step) => done.has(step)).length / STEPS.length) * 100);
}

/**
 * The steps of an accepted file, in order. `store` is done when the file is accepted; the job does the others. A
 * document is published even when an optional step fails.
 */
export const STEPS = ['store', 'convert', 'render', 'outline', 'charts', 'fingerprint', 'publish'] as const;
export type StepName = (typeof STEPS)[number];

export type StepState = 'running' | 'done' | 'failed' | 'waiting';

/** The result of a step, for operators: a small JSON object. */
export type StepDetail = Record<string, unknown>;

/** Returns the share of the steps that are done, in percent. */
export function progressOf(done: ReadonlySet<StepName>): number {
  return Math.round((STEPS.filter((step) => done.has(step)).length / STEPS.length) * 100);
}

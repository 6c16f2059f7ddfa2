/** The only source of "now" for verbs: epoch milliseconds. Tests pass their own. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

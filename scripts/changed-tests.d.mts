/** See changed-tests.mjs. */
export function testsReachedBy(changed: readonly string[], testFiles: readonly string[]): string[];
export function listTests(root: string): string[];
export function findChangedTests(house: { root: string; node: string }, base: string): Promise<string[]>;

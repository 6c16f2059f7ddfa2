/** See test-report.mjs. */
export type Count = {
  passed: number;
  failed: number;
  failures: string[];
  unstable?: string[];
  skipped?: { name: string; why: string }[];
  files?: { name: string; ms: number }[];
};
export function readReport(file: string, exitCode: number): Count;
export function filesOf(failures: readonly string[]): string[];
export function afterSecondTry(count: Count, again: Count): Count;
export function summary(counts: readonly Count[], took: string): string[];
export function conditionOf(source: string, names: readonly string[]): string;

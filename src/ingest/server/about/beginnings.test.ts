/** Shares of a graded list of made beginnings of files: see tests/descriptions/beginnings.ts. */
import { expect, it } from 'vitest';
import { grade, readBeginnings, type Share } from '../../../../tests/descriptions/beginnings.ts';
import { describeBeginning } from '../../../../tests/descriptions/describe-beginnings.ts';

const shareOf = ({ right, of }: Share) => right / of;

it('titles, themes, industries and types of the graded beginnings', () => {
  const beginnings = readBeginnings();
  expect(beginnings.length).toBeGreaterThanOrEqual(120);
  const result = grade(beginnings, beginnings.map(describeBeginning));
  const wrong = result.wrong.join('\n');
  expect(shareOf(result.titles), wrong).toBeGreaterThanOrEqual(0.95);
  expect(result.duplicates, wrong).toBe(0);
  expect(shareOf(result.themes.proposed), wrong).toBeGreaterThanOrEqual(0.85);
  expect(shareOf(result.themes.found), wrong).toBeGreaterThanOrEqual(0.85);
  expect(shareOf(result.industry.proposed), wrong).toBeGreaterThanOrEqual(0.92);
  expect(shareOf(result.industry.found), wrong).toBeGreaterThanOrEqual(0.85);
  expect(shareOf(result.type.proposed), wrong).toBeGreaterThanOrEqual(0.95);
  expect(shareOf(result.type.found), wrong).toBeGreaterThanOrEqual(0.9);
});

import { formatNumber } from '../../protocol/format-number.ts';

/** Numbers nearer to zero than this are written as powers of ten, and so are those of more digits than a double holds. */
const TINY = 1e-6;
const HUGE = 1e15;

/**
 * Returns a number of a chart as a table shows it: 12,345.67, and 33.33% under the unit %. Twelve digits, so that
 * 0.1 + 0.2 is 0.3; the files have all digits.
 */
export function numberText(value: number, unit: string): string {
  if (unit === '%') return `${formatNumber(value, 2)}%`;
  const rounded = Number(value.toPrecision(12));
  const size = Math.abs(rounded);
  const isPlain = size === 0 || (size >= TINY && size < HUGE);
  return isPlain ? formatNumber(rounded, 6) : rounded.toExponential();
}

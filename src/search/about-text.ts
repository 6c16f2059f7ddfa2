import { formatNumber } from '../protocol/format-number.ts';

/** Returns an estimate as text, of two digits: 1,200, 1.2 万, 150 万. */
export function aboutText(count: number): string {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(count, 1))) - 1);
  const rounded = Math.round(count / power) * power;
  return rounded < 10_000 ? formatNumber(rounded) : `${formatNumber(rounded / 10_000)} 万`;
}

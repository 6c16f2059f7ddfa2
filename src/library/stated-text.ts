import type { FactKind } from './limits.ts';
import { formatNumber } from '../protocol/format-number.ts';

/** The name of a stated fact on the screen. */
export const STATED_NAMES: Record<FactKind, string> = { budget: '预算', people: '人数', days: '天数' };

/** Returns a stated fact as text: 50.84 万元, 8,000 元, 1,800 人, 3 天. `value`: a budget in fen, people or days. */
export function statedText({ kind, value }: { kind: FactKind; value: number }): string {
  if (kind === 'days') return `${value} 天`;
  if (kind === 'people') return `${formatNumber(value)} 人`;
  const yuan = value / 100;
  if (yuan < 10_000) return `${formatNumber(yuan)} 元`;
  if (yuan < 100_000_000) return `${formatNumber(yuan / 10_000, 2)} 万元`;
  return `${formatNumber(yuan / 100_000_000, 2)} 亿元`;
}

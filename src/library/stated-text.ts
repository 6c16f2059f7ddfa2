import type { FactKind } from './plan-facts.ts';

/** The name of a stated fact on the screen. */
export const STATED_NAMES: Record<FactKind, string> = { budget: '预算', people: '人数', days: '天数' };

/** Returns a stated fact as text: 50.84 万元, 8,000 元, 1,800 人, 3 天. */
export function statedText({ kind, value }: { kind: FactKind; value: number }): string {
  if (kind === 'days') return `${value} 天`;
  if (kind === 'people') return `${value.toLocaleString('en-US')} 人`;
  if (value < 10_000) return `${value.toLocaleString('en-US')} 元`;
  if (value < 100_000_000) return `${(value / 10_000).toLocaleString('en-US', { maximumFractionDigits: 2 })} 万元`;
  return `${(value / 100_000_000).toLocaleString('en-US', { maximumFractionDigits: 2 })} 亿元`;
}

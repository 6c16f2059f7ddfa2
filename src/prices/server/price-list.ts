import { stringify } from 'yaml';
import { z } from 'zod';
import { FileProblems, parseYaml, visibleLine } from '../../platform/yaml-file.ts';
import type { priceItems } from './tables.ts';

/** The price list as a YAML file that operators edit, and the difference between a file and the list on sale. */

export const CATALOGUES = ['items', 'vip', 'miao'] as const;
type Catalogue = (typeof CATALOGUES)[number];

type PriceItemRow = typeof priceItems.$inferSelect;

/** The facts of a price item that an operator decides. `id` is null for an item that is new. */
export type PriceTerms = Pick<
  PriceItemRow,
  'description' | 'tier' | 'days' | 'coins' | 'priceFen' | 'originalPriceFen'
> & { id: number | null };
export type PriceList = Record<Catalogue, PriceTerms[]>;

const MAX_FEN = 100_000_000;

const HEAD = ` The price list. Prices are in yuan, with at most two decimals.
 items: the membership plans of the user centre, exactly two: first tier 1 (standard), then tier 2 (advanced).
 vip:   the membership plans of /aboutVip, exactly three: a quarter, a year, for life (days: 36500).
 miao:  the coin packs.
 description: what the buyer reads on orders and payment pages of coin packs, and of a plan of vip that does not last
   80-100, 360-370 or 36500 days, by its place; the other plans are named 季度会员, 年度会员, 终身会员, and those of items
   标准会员, 高级会员.
 An item without id is new; an item that is left out goes off sale.
 "ceku price set FILE" shows what a file would change, and with --yes changes it.
`;

/** Returns fen of an amount in yuan, exactly: the digits are read as text, never as a fraction. */
const yuanAmount = z
  .union([z.number(), z.string()])
  .transform((value) => String(value).trim())
  .pipe(z.string().regex(/^\d{1,7}(\.\d{1,2})?$/, 'must be yuan with at most two decimals, such as 198 or 19.90'))
  .transform((text) => {
    const [yuan = '0', decimals = ''] = text.split('.');
    return Number(yuan) * 100 + Number(decimals.padEnd(2, '0'));
  })
  .pipe(z.number().int().min(1, 'must be at least 0.01').max(MAX_FEN, 'must be at most 1000000'));

const shared = {
  id: z.number().int().positive().optional(),
  description: visibleLine(40).min(1, 'must not be empty'),
  price: yuanAmount,
  original_price: yuanAmount,
};
const plan = z.strictObject({
  ...shared,
  tier: z.literal([1, 2], 'must be 1 (standard) or 2 (advanced)'),
  days: z.number().int().min(1).max(36_500),
});
const pack = z.strictObject({ ...shared, coins: z.number().int().min(1).max(1_000_000) });
const file = z.strictObject({
  items: z.array(plan).length(2, 'must have two plans: standard, then advanced'),
  vip: z.array(plan).length(3, 'must have three plans: a quarter, a year, for life'),
  miao: z.array(pack).min(1, 'must have a coin pack').max(12, 'must have at most 12 coin packs'),
});

/** Reads a price list from YAML. Throws FileProblems, which names every problem with its line. */
export function parsePriceList(text: string): PriceList {
  const { items, vip, miao } = parseYaml(text, file);
  const list: PriceList = {
    items: items.map((item) => ({ ...termsOf(item), tier: item.tier, days: item.days })),
    vip: vip.map((item) => ({ ...termsOf(item), tier: item.tier, days: item.days })),
    miao: miao.map((item) => ({ ...termsOf(item), coins: item.coins })),
  };
  const problems = ruleProblems(list);
  if (problems.length > 0) throw new FileProblems(problems);
  return list;
}

const termsOf = (item: z.infer<typeof plan> | z.infer<typeof pack>): PriceTerms => ({
  id: item.id ?? null,
  description: item.description,
  tier: null,
  days: 0,
  coins: 0,
  priceFen: item.price,
  originalPriceFen: item.original_price,
});

/** Rules between values, each as a sentence (C-30). */
function ruleProblems(list: PriceList): string[] {
  const problems: string[] = [];
  list.items.forEach(({ tier }, index) => {
    if (tier !== index + 1)
      problems.push(
        `items[${index}].tier must be ${index + 1}: the standard plan comes first, then the advanced plan.`,
      );
  });
  const seen = new Set<number>();
  for (const catalogue of CATALOGUES)
    list[catalogue].forEach(({ id, priceFen, originalPriceFen }, index) => {
      const name = `${catalogue}[${index}]`;
      if (originalPriceFen < priceFen) problems.push(`${name}.original_price must not be less than its price.`);
      if (id === null) return;
      if (seen.has(id)) problems.push(`${name}.id ${id} is used twice.`);
      seen.add(id);
    });
  return problems;
}

/** Returns the list as YAML that parsePriceList reads. */
export function formatPriceList(list: PriceList): string {
  const rows = (catalogue: Catalogue) =>
    list[catalogue].map(({ id, description, tier, days, coins, priceFen, originalPriceFen }) => ({
      ...(id !== null && { id }),
      description,
      ...(tier === null ? { coins } : { tier, days }),
      price: priceFen / 100,
      original_price: originalPriceFen / 100,
    }));
  const body = stringify({ items: rows('items'), vip: rows('vip'), miao: rows('miao') });
  return `${HEAD.replace(/^ /gm, '# ')}${body}`;
}

/** Returns what `to` changes of `from`, a line for each change; an empty list when both say the same. */
export function diffPriceLists(from: PriceList, to: PriceList): string[] {
  return CATALOGUES.flatMap((catalogue) => {
    const before = new Map(from[catalogue].map((item, position) => [item.id, { item, position }]));
    const listed = to[catalogue].flatMap((item, position) => {
      const known = item.id === null ? undefined : before.get(item.id);
      if (!known) return [`+ ${catalogue}: ${termsText(item)}`];
      const changes = changesOf(known.item, item);
      if (known.position !== position) changes.push(`position ${known.position + 1} → ${position + 1}`);
      return changes.length > 0
        ? [`~ ${catalogue}: ${known.item.description} (id ${item.id}): ${changes.join(', ')}`]
        : [];
    });
    const kept = new Set(to[catalogue].map(({ id }) => id));
    const gone = from[catalogue].filter(({ id }) => !kept.has(id));
    return [...listed, ...gone.map((item) => `- ${catalogue}: ${termsText(item)} (id ${item.id}) goes off sale`)];
  });
}

function changesOf(from: PriceTerms, to: PriceTerms): string[] {
  const told: [string, (terms: PriceTerms) => string | number | null][] = [
    ['description', ({ description }) => description],
    ['tier', ({ tier }) => tier],
    ['days', ({ days }) => days],
    ['coins', ({ coins }) => coins],
    ['price', ({ priceFen }) => yuanText(priceFen)],
    ['original price', ({ originalPriceFen }) => yuanText(originalPriceFen)],
  ];
  return told.flatMap(([name, read]) => (read(from) === read(to) ? [] : [`${name} ${read(from)} → ${read(to)}`]));
}

/** Returns yuan with two decimals: 19850 → ¥198.50. */
export const yuanText = (fen: number): string => `¥${(fen / 100).toFixed(2)}`;

/** Returns an item in words: 高级VIP · 12个月, tier 2, 365 days, ¥298.00 (was ¥599.00). */
export function termsText({ description, tier, days, coins, priceFen, originalPriceFen }: PriceTerms): string {
  const sold = tier === null ? `${coins} coins` : `tier ${tier}, ${days} days`;
  const original = originalPriceFen > priceFen ? ` (was ${yuanText(originalPriceFen)})` : '';
  return `${description}, ${sold}, ${yuanText(priceFen)}${original}`;
}

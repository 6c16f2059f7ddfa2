/**
 * The specification's rules of downloads and reading (C-34, C-35, C-40, C-41), written down a second time as
 * tables. Nothing here comes from the product: the tests compare the product with these tables.
 *
 * The first row that fits decides; `any` fits everything. The last column is the answer: a method, a right or a code.
 */
const DOWNLOADS = table(`
  owned | price | member | today | month | coins  | answer
  yes   | any   | any    | any   | any   | any    | owned
  no    | none  | any    | any   | any   | any    | free
  no    | some  | yes    | left  | left  | any    | coupon
  no    | some  | any    | any   | any   | enough | coin
  no    | some  | yes    | any   | none  | short  | 33
  no    | some  | any    | any   | any   | short  | 31
`);

/** `counted`: the member has read the document in this month before. */
const READING = table(`
  owned | member | counted | reads | answer
  yes   | any    | any     | any   | owned
  no    | no     | any     | any   | ordinary
  no    | yes    | yes     | any   | membership
  no    | yes    | no      | left  | membership
  no    | yes    | no      | none  | over-limit
`);

const ORIGINALS = table(`
  right      | price | coins  | answer
  owned      | any   | any    | owned
  membership | any   | any    | membership
  ordinary   | any   | any    | 50
  over-limit | none  | any    | free
  over-limit | some  | enough | coin
  over-limit | some  | short  | 34
`);

export const COUPONS_A_DAY = 20;

export type Membership = 'none' | 'standard' | 'advanced';
/** Downloads and reads of a month. */
export const LIMITS = {
  none: { downloads: 0, reads: 0 },
  standard: { downloads: 300, reads: 1_500 },
  advanced: { downloads: 600, reads: 3_000 },
} as const;
/** `is_vip` of C-32. */
export const IS_VIP = { none: 0, standard: 1, advanced: 2 } as const;

export type Facts = {
  membership: Membership;
  isOwned: boolean;
  priceCoins: number;
  balance: number;
  usedToday: number;
  usedThisMonth: number;
};

/** Returns what pays for a download, or the code that refuses it. */
export function downloadBy(facts: Facts): string {
  const { membership, priceCoins } = facts;
  return lookUp(DOWNLOADS, {
    owned: yesNo(facts.isOwned),
    price: priceCoins > 0 ? 'some' : 'none',
    member: yesNo(membership !== 'none'),
    today: leftOf(COUPONS_A_DAY, facts.usedToday),
    month: leftOf(LIMITS[membership].downloads, facts.usedThisMonth),
    coins: facts.balance >= priceCoins ? 'enough' : 'short',
  });
}

/** Returns how a document may be read. `reads`: documents counted this month, `isCounted`: this one is among them. */
export function readingBy(facts: {
  membership: Membership;
  isOwned: boolean;
  reads: number;
  isCounted: boolean;
}): string {
  return lookUp(READING, {
    owned: yesNo(facts.isOwned),
    member: yesNo(facts.membership !== 'none'),
    counted: yesNo(facts.isCounted),
    reads: leftOf(LIMITS[facts.membership].reads, facts.reads),
  });
}

/** Returns what pays for the original of a document that may be read by that right, or the code that refuses it. */
export function originalBy(right: string, facts: { priceCoins: number; balance: number }): string {
  return lookUp(ORIGINALS, {
    right,
    price: facts.priceCoins > 0 ? 'some' : 'none',
    coins: facts.balance >= facts.priceCoins ? 'enough' : 'short',
  });
}

const yesNo = (is: boolean) => (is ? 'yes' : 'no');
const leftOf = (limit: number, used: number) => (used < limit ? 'left' : 'none');

type Row = Record<string, string>;

function table(text: string): Row[] {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.map((cells) => Object.fromEntries(head.map((name, column) => [name, cells[column] ?? ''])));
}

function lookUp(rows: Row[], facts: Row): string {
  const fitting = rows.find((row) =>
    Object.entries(facts).every(([name, value]) => row[name] === 'any' || row[name] === value),
  );
  if (!fitting?.['answer']) throw new Error(`no row for ${JSON.stringify(facts)}`);
  return fitting['answer'];
}

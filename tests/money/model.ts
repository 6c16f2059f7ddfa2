import { COUPONS_A_DAY, downloadBy, IS_VIP, LIMITS, originalBy, readingBy, type Membership } from './spec.ts';
import type { Answer } from './money-app.ts';

/**
 * One user and a few documents in memory, as the specification describes them (C-30 to C-41). No code of the product is
 * used: the product is compared with this.
 */
export type Model = {
  /** Epoch milliseconds. */
  now: number;
  documents: { priceCoins: number; state: 'published' | 'hidden' | 'taken-down' }[];
  balance: number;
  /** Coins that were granted, by the reference of the grant. */
  grants: Record<string, number>;
  memberships: Record<string, { tier: 1 | 2; days: number }>;
  /** Amounts in the order of their posting. */
  ledger: number[];
  standardEnd: number | null;
  advancedEnd: number | null;
  /** Document by number: how it was paid. */
  owned: Record<number, { method: string; coins: number }>;
  couponsByDay: Record<string, number>;
  couponsByMonth: Record<string, number>;
  /** By month: the documents counted, and how many others were counted beside them. */
  reads: Record<string, { documents: number[]; others: number }>;
};

export const newModel = (now: number, prices: number[]): Model => ({
  now,
  documents: prices.map((priceCoins) => ({ priceCoins, state: 'published' })),
  balance: 0,
  grants: {},
  memberships: {},
  ledger: [],
  standardEnd: null,
  advancedEnd: null,
  owned: {},
  couponsByDay: {},
  couponsByMonth: {},
  reads: {},
});

export const DAY_MS = 86_400_000;
const SHANGHAI_MS = 8 * 3_600_000;
/** China has no summer time: its calendar is UTC eight hours later. */
export const dayOf = (at: number) => new Date(at + SHANGHAI_MS).toISOString().slice(0, 10);
export const monthOf = (at: number) => dayOf(at).slice(0, 7);
export const nextMidnight = (at: number) => Date.parse(`${dayOf(at + DAY_MS)}T00:00:00+08:00`);
export function nextMonth(at: number): number {
  for (let midnight = nextMidnight(at); ; midnight += DAY_MS) if (monthOf(midnight) !== monthOf(at)) return midnight;
}

export function membershipOf({ now, standardEnd, advancedEnd }: Model): Membership {
  if (advancedEnd !== null && advancedEnd > now) return 'advanced';
  return standardEnd !== null && standardEnd > now ? 'standard' : 'none';
}

export const usedToday = (model: Model) => model.couponsByDay[dayOf(model.now)] ?? 0;
export const usedThisMonth = (model: Model) => model.couponsByMonth[monthOf(model.now)] ?? 0;
const readsOf = (model: Model) => (model.reads[monthOf(model.now)] ??= { documents: [], others: 0 });
export const readsCounted = (model: Model) => readsOf(model).documents.length + readsOf(model).others;

/** The charge a caller agrees to (C-36). */
export type Expected = { method: string; cost: number };

/** The effect of one call on the model. It changes the model and returns the answer, as answerOf picks it. */
export type Step = (model: Model) => Answer;

export const NOT_FOUND: Answer = { code: 4 };
const PRICE_CHANGED: Answer = { code: 60 };

const documentOf = (model: Model, index: number) => {
  const document = model.documents[index];
  if (!document) throw new Error(`no document ${index}`);
  return document;
};

/** Off the lists a document is its owners' alone; taken down for legal reasons nobody's (C-112). */
function isDownloadable(model: Model, index: number): boolean {
  const { state } = documentOf(model, index);
  return state === 'published' || (state === 'hidden' && model.owned[index] !== undefined);
}

function downloadFacts(model: Model, index: number) {
  return {
    membership: membershipOf(model),
    isOwned: model.owned[index] !== undefined,
    priceCoins: documentOf(model, index).priceCoins,
    balance: model.balance,
    usedToday: usedToday(model),
    usedThisMonth: usedThisMonth(model),
  };
}

export const quote =
  (index: number): Step =>
  (model) => {
    if (!isDownloadable(model, index)) return NOT_FOUND;
    const facts = downloadFacts(model, index);
    const answer = downloadBy(facts);
    const code = Number(answer) || 0;
    const cost = answer === 'coin' || code > 0 ? facts.priceCoins : 0;
    const after = answer === 'coin' ? model.balance - cost : model.balance;
    return { code, method: code > 0 ? 'insufficient' : answer, cost, balance: model.balance, balance_after: after };
  };

export const download =
  (index: number, expected?: Expected): Step =>
  (model) => {
    if (!isDownloadable(model, index)) return NOT_FOUND;
    const facts = downloadFacts(model, index);
    const answer = downloadBy(facts);
    const isVip = IS_VIP[facts.membership];
    if (Number(answer) > 0)
      return { code: Number(answer), cost: facts.priceCoins, balance: model.balance, is_vip: isVip };
    const cost = answer === 'coin' ? facts.priceCoins : 0;
    if (!isAgreed({ method: answer, cost }, expected)) return PRICE_CHANGED;
    pay(model, index, answer, cost);
    return { code: 0, method: answer, cost, balance: model.balance, is_vip: isVip };
  };

const isAgreed = (charge: Expected, expected: Expected | undefined) =>
  !expected || charge.method === 'owned' || (charge.method === expected.method && charge.cost === expected.cost);

function pay(model: Model, index: number, method: string, cost: number): void {
  if (method === 'owned') return;
  model.owned[index] = { method, coins: cost };
  if (method === 'coupon') addCoupons(model, dayOf(model.now), 1);
  if (method !== 'coin') return;
  model.balance -= cost;
  model.ledger.push(-cost);
}

export function addCoupons(model: Model, day: string, count: number): void {
  const month = day.slice(0, 7);
  model.couponsByDay[day] = (model.couponsByDay[day] ?? 0) + count;
  model.couponsByMonth[month] = (model.couponsByMonth[month] ?? 0) + count;
}

/** Opens a document for reading: members count it once a month. */
export const read =
  (index: number): Step =>
  (model) => {
    if (documentOf(model, index).state !== 'published') return NOT_FOUND;
    return { code: 0, right: openDocument(model, index) };
  };

function openDocument(model: Model, index: number): string {
  const membership = membershipOf(model);
  const counted = readsOf(model);
  const facts = {
    membership,
    isOwned: model.owned[index] !== undefined,
    reads: readsCounted(model),
    isCounted: counted.documents.includes(index),
  };
  if (membership !== 'none' && !facts.isCounted && facts.reads < LIMITS[membership].reads)
    counted.documents.push(index);
  return readingBy(facts);
}

/** Opens the PDF of a document; over the reads of the month it is bought (C-41). */
export const original =
  (index: number, expected?: Expected): Step =>
  (model) => {
    if (documentOf(model, index).state !== 'published') return NOT_FOUND;
    const { priceCoins } = documentOf(model, index);
    const right = openDocument(model, index);
    const answer = originalBy(right, { priceCoins, balance: model.balance });
    if (answer === '50') return { code: 50 };
    const method = answer === '34' ? 'coin' : answer;
    const cost = method === 'coin' ? priceCoins : 0;
    if (!isAgreed({ method, cost }, expected)) return PRICE_CHANGED;
    if (answer === '34') return { code: 34, cost, balance: model.balance };
    if (right === 'over-limit') pay(model, index, method, cost);
    return { code: 0, method, cost, balance: model.balance };
  };

/** Posts coins under a reference; the same again changes nothing, other coins are a conflict (INV-04). */
export const grantCoins =
  (ref: string, coins: number): Step =>
  (model) => {
    const before = model.grants[ref];
    if (before !== undefined && before !== coins) return { code: 'conflict' };
    if (before === undefined) {
      if (model.balance + coins < 0) return { code: 'overdrawn' };
      model.grants[ref] = coins;
      model.balance += coins;
      model.ledger.push(coins);
    }
    return { code: 0, balance: model.balance, isNew: before === undefined };
  };

/** Adds days to a membership (C-32). */
export const grantMembership =
  (ref: string, tier: 1 | 2, days: number): Step =>
  (model) => {
    const before = model.memberships[ref];
    if (before) return before.tier === tier && before.days === days ? { code: 0, isNew: false } : { code: 'conflict' };
    model.memberships[ref] = { tier, days };
    const isStandardRunning = model.standardEnd !== null && model.standardEnd > model.now;
    if (tier === 1 || isStandardRunning) model.standardEnd = later(model.now, model.standardEnd, days);
    if (tier === 2) model.advancedEnd = later(model.now, model.advancedEnd, days);
    return { code: 0, isNew: true };
  };

const later = (now: number, end: number | null, days: number) => Math.max(now, end ?? 0) + days * DAY_MS;

/** Returns the numbers of the user's own page. */
export const mine: Step = (model) => {
  const membership = membershipOf(model);
  const monthLeft = Math.max(LIMITS[membership].downloads - usedThisMonth(model), 0);
  const todayLeft = membership === 'none' ? 0 : Math.max(COUPONS_A_DAY - usedToday(model), 0);
  const end = Math.max(model.standardEnd ?? 0, model.advancedEnd ?? 0);
  return {
    code: 0,
    is_vip: IS_VIP[membership],
    user_type: IS_VIP[membership] + 1,
    balance: model.balance,
    today_left: Math.min(todayLeft, monthLeft),
    month_left: monthLeft,
    read_month_left: Math.max(LIMITS[membership].reads - readsCounted(model), 0),
    unlock_end_time: Math.floor((model.standardEnd ?? 0) / 1000),
    advanced_end_time: Math.floor((model.advancedEnd ?? 0) / 1000),
    vip_last_day: Math.max(Math.ceil((end - model.now) / DAY_MS), 0),
  };
};

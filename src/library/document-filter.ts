import { dayText } from './rules.ts';
import { DAY_MS } from '../protocol/durations.ts';

/**
 * The parts of a filter and their values. A new part has one line here and in FAILS, FilterFacts, FAILS_PART and, when its choices are
 * counted, CHOICES; in SQL: FACTS, HOLDS and `counts` of countsJson (server/filter-sql.ts).
 */
type Wanted = {
  /** 1 PPT, 2 PDF (C-09 c). */
  fileKind: number;
  themeId: number;
  industryId: number;
  /** Created at or after a moment, or in a Shanghai calendar year (C-25). */
  created: { since: Date } | { year: number } | null;
  /** One of PAGE_BANDS. */
  pageBand: number;
  /** True selects only documents that cost nothing. */
  isFree: boolean;
  /** One of BUDGET_BANDS: the plan states such a budget (C-118). */
  budgetBand: number;
  /** One of PEOPLE_BANDS: the plan states such a number of people. */
  peopleBand: number;
  /** One of DAYS_BANDS: the plan states such a number of days. */
  daysBand: number;
};

export type FilterPart = keyof Wanted;

/** Narrows a list of documents. A part that is left out, 0, false or null does not narrow. */
export type DocumentFilter = Partial<Wanted>;

/**
 * One bit per part that a document fails; 0 means a hit. The choices of a part are counted without its own bit. The engine keeps the bits
 * of a document in sixteen (`Fails` in search/engine/match/filter.ts).
 */
export const FAILS = {
  fileKind: 1,
  themeId: 2,
  industryId: 4,
  created: 8,
  pageBand: 16,
  isFree: 32,
  budgetBand: 64,
  peopleBand: 128,
  daysBand: 256,
} as const satisfies Record<FilterPart, number>;

/** The facts of a document that filters and counts read. */
export type FilterFacts = {
  fileKind: number;
  themeIds: number[];
  /** 0 for none. */
  industryId: number;
  createdAt: Date;
  pageCount: number;
  isFree: boolean;
  /** 0 when the plan states none; so with people and days. */
  budgetYuan: number;
  people: number;
  days: number;
};

/** Page counts from `min` to `max`, both included. A document whose pages are not counted yet is in no band. */
export const PAGE_BANDS = [
  { id: 1, min: 1, max: 20 },
  { id: 2, min: 21, max: 50 },
  { id: 3, min: 51, max: 100 },
  { id: 4, min: 101, max: 2_147_483_647 },
] as const;

/** Stated budgets in yuan. A document that states none is in no band. */
export const BUDGET_BANDS = [
  { id: 1, min: 1, max: 50_000 },
  { id: 2, min: 50_001, max: 200_000 },
  { id: 3, min: 200_001, max: 500_000 },
  { id: 4, min: 500_001, max: 1_000_000 },
  { id: 5, min: 1_000_001, max: 2_147_483_647 },
] as const;

/** Stated numbers of people. */
export const PEOPLE_BANDS = [
  { id: 1, min: 1, max: 50 },
  { id: 2, min: 51, max: 200 },
  { id: 3, min: 201, max: 500 },
  { id: 4, min: 501, max: 1_000 },
  { id: 5, min: 1_001, max: 2_147_483_647 },
] as const;

/** Stated numbers of days. */
export const DAYS_BANDS = [
  { id: 1, min: 1, max: 1 },
  { id: 2, min: 2, max: 3 },
  { id: 3, min: 4, max: 7 },
  { id: 4, min: 8, max: 30 },
  { id: 5, min: 31, max: 65_535 },
] as const;

type Band = { id: number; min: number; max: number };

/** Returns the band with this id; null for 0 and unknown ids. */
export const bandOf = (bands: readonly Band[], id: number | undefined): Band | null =>
  bands.find((band) => band.id === id) ?? null;

const isOutside = (bands: readonly Band[], id: number, value: number) => {
  const band = bandOf(bands, id);
  return band !== null && (value < band.min || value > band.max);
};

const bandsOf = (bands: readonly Band[], value: number) =>
  bands.filter(({ min, max }) => value >= min && value <= max).map(({ id }) => id);

/** `pubdate` 1, 2, 3 and their days (C-25). */
export const RECENT = [
  { id: 1, days: 3 },
  { id: 2, days: 7 },
  { id: 3, days: 30 },
] as const;

export const sinceDays = (days: number, now: number) => new Date(now - days * DAY_MS);

const yearOf = (at: Date) => Number(dayText(at).slice(0, 4));

/** A table with one function for each part of a filter. */
export type ByPart<Args extends unknown[], Result> = {
  [Part in FilterPart]: (wanted: NonNullable<Wanted[Part]>, ...args: Args) => Result;
};

/** Calls the function of each part that narrows, and returns the results with the bits of FAILS. */
export function mapParts<Args extends unknown[], Result>(
  filter: DocumentFilter,
  table: ByPart<Args, Result>,
  ...args: Args
): { bit: number; result: Result }[] {
  const resultOf = <Part extends FilterPart>(part: Part) => {
    const wanted: Wanted[Part] | undefined = filter[part];
    return wanted ? [{ bit: FAILS[part], result: table[part](wanted, ...args) }] : [];
  };
  return PARTS.flatMap((part) => resultOf(part));
}

// Safe: the keys of the literal above.
const PARTS = Object.keys(FAILS) as FilterPart[];

const FAILS_PART: ByPart<[FilterFacts], boolean> = {
  fileKind: (kind, facts) => facts.fileKind !== kind,
  themeId: (theme, { themeIds }) => !themeIds.includes(theme),
  industryId: (industry, { industryId }) => industryId !== industry,
  created: (created, { createdAt }) =>
    'since' in created ? createdAt < created.since : yearOf(createdAt) !== created.year,
  pageBand: (id, { pageCount }) => isOutside(PAGE_BANDS, id, pageCount),
  isFree: (_, { isFree }) => !isFree,
  budgetBand: (id, { budgetYuan }) => isOutside(BUDGET_BANDS, id, budgetYuan),
  peopleBand: (id, { people }) => isOutside(PEOPLE_BANDS, id, people),
  daysBand: (id, { days }) => isOutside(DAYS_BANDS, id, days),
};

/** Returns the bits of FAILS for the parts of the filter that a document fails. */
export function failsOf(filter: DocumentFilter, facts: FilterFacts): number {
  return mapParts(filter, FAILS_PART, facts).reduce((bits, { bit, result }) => (result ? bits | bit : bits), 0);
}

/** The counted choices: the part of the filter they belong to, and the choices that fit a document. */
const CHOICES = {
  fileKinds: { part: 'fileKind', of: ({ fileKind }: FilterFacts) => [fileKind] },
  themes: { part: 'themeId', of: ({ themeIds }: FilterFacts) => themeIds },
  industries: { part: 'industryId', of: ({ industryId }: FilterFacts) => [industryId].filter(Boolean) },
  years: { part: 'created', of: ({ createdAt }: FilterFacts) => [yearOf(createdAt)] },
  /** Documents created within each period of the parameter `pubdate`, by its value 1, 2 or 3. */
  recent: {
    part: 'created',
    of: ({ createdAt }: FilterFacts, now: number) =>
      RECENT.filter(({ days }) => createdAt >= sinceDays(days, now)).map(({ id }) => id),
  },
  pageBands: { part: 'pageBand', of: ({ pageCount }: FilterFacts) => bandsOf(PAGE_BANDS, pageCount) },
  budgetBands: { part: 'budgetBand', of: ({ budgetYuan }: FilterFacts) => bandsOf(BUDGET_BANDS, budgetYuan) },
  peopleBands: { part: 'peopleBand', of: ({ people }: FilterFacts) => bandsOf(PEOPLE_BANDS, people) },
  daysBands: { part: 'daysBand', of: ({ days }: FilterFacts) => bandsOf(DAYS_BANDS, days) },
  /** The key 1 counts the free documents. */
  free: { part: 'isFree', of: ({ isFree }: FilterFacts) => (isFree ? [1] : []) },
} as const satisfies Record<string, { part: FilterPart; of: (facts: FilterFacts, now: number) => number[] }>;

export type CountName = keyof typeof CHOICES;
// Safe: the keys of the literal above.
export const COUNT_NAMES = Object.keys(CHOICES) as CountName[];

/** Returns the bit of the part that the counted choices belong to. */
export const ownBit = (name: CountName): number => FAILS[CHOICES[name].part];

/** How many documents each choice would leave under all other parts of the filter, by id, year, or page band. */
export type FilterCounts = Record<CountName, Map<number, number>>;

export function countsOf(mapOf: (name: CountName) => Map<number, number>): FilterCounts {
  // Safe: one entry for each name.
  return Object.fromEntries(COUNT_NAMES.map((name) => [name, mapOf(name)])) as FilterCounts;
}

export const noCounts = (): FilterCounts => countsOf(() => new Map());

export const copyOf = (counts: FilterCounts): FilterCounts => structuredClone(counts);

/** Adds single documents to counts. `now` in epoch ms. */
export function addToCounts(counts: FilterCounts, filter: DocumentFilter, documents: FilterFacts[], now: number): void {
  for (const facts of documents) {
    const fails = failsOf(filter, facts);
    for (const name of COUNT_NAMES) {
      if ((fails & ~ownBit(name)) !== 0) continue;
      for (const choice of CHOICES[name].of(facts, now)) counts[name].set(choice, (counts[name].get(choice) ?? 0) + 1);
    }
  }
}

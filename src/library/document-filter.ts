import { yearOf } from './rules.ts';
import { DAY_MS } from '../protocol/durations.ts';

/**
 * The fields of a filter and their values. A new field has one line here, in FILTER_BITS (the next power of two), in FilterFacts and FAILS_FIELD
 * and, when its choices are counted, in FACETS; in SQL: FACTS, HOLDS and `counts` of countsJson (server/filter-sql.ts).
 */
type FilterValues = {
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

export type FilterField = keyof FilterValues;

/** Narrows a list of documents. A field that is left out, 0, false or null does not narrow. */
export type DocumentFilter = Partial<FilterValues>;

/**
 * One bit per field that a document fails; 0 means a hit. The choices of a field are counted without its own bit. The engine keeps the bits
 * of a document in sixteen (`Fails` in search/engine/match/filter.ts).
 */
export const FILTER_BITS = {
  fileKind: 1,
  themeId: 2,
  industryId: 4,
  created: 8,
  pageBand: 16,
  isFree: 32,
  budgetBand: 64,
  peopleBand: 128,
  daysBand: 256,
} as const satisfies Record<FilterField, number>;

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
export const RECENT_PERIODS = [
  { id: 1, days: 3 },
  { id: 2, days: 7 },
  { id: 3, days: 30 },
] as const;

export const daysBefore = (days: number, now: number) => new Date(now - days * DAY_MS);

/** A table with one function for each field of a filter. */
export type ByFilterField<Args extends unknown[], Result> = {
  [Field in FilterField]: (wanted: NonNullable<FilterValues[Field]>, ...args: Args) => Result;
};

/** Calls the function in `table` of each field that the filter sets, and returns each result with the field's bit in FILTER_BITS. */
export function mapFilterFields<Args extends unknown[], Result>(
  filter: DocumentFilter,
  table: ByFilterField<Args, Result>,
  ...args: Args
): { bit: number; result: Result }[] {
  const resultOf = <Field extends FilterField>(field: Field) => {
    const wanted: FilterValues[Field] | undefined = filter[field];
    return wanted ? [{ bit: FILTER_BITS[field], result: table[field](wanted, ...args) }] : [];
  };
  return FILTER_FIELDS.flatMap((field) => resultOf(field));
}

// Safe: the keys of the literal above.
const FILTER_FIELDS = Object.keys(FILTER_BITS) as FilterField[];

const FAILS_FIELD: ByFilterField<[FilterFacts], boolean> = {
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

/** Returns the bits of FILTER_BITS for the fields of the filter that a document fails. */
export function failedFilterBits(filter: DocumentFilter, facts: FilterFacts): number {
  return mapFilterFields(filter, FAILS_FIELD, facts).reduce((bits, { bit, result }) => (result ? bits | bit : bits), 0);
}

/** The facets of a list (choices that are counted): the field of the filter they belong to, and the choices that fit a document. */
const FACETS = {
  fileKinds: { field: 'fileKind', of: ({ fileKind }: FilterFacts) => [fileKind] },
  themes: { field: 'themeId', of: ({ themeIds }: FilterFacts) => themeIds },
  industries: { field: 'industryId', of: ({ industryId }: FilterFacts) => [industryId].filter(Boolean) },
  years: { field: 'created', of: ({ createdAt }: FilterFacts) => [yearOf(createdAt)] },
  /** Documents created within each period of the parameter `pubdate`, by its value 1, 2 or 3. */
  recent: {
    field: 'created',
    of: ({ createdAt }: FilterFacts, now: number) =>
      RECENT_PERIODS.filter(({ days }) => createdAt >= daysBefore(days, now)).map(({ id }) => id),
  },
  pageBands: { field: 'pageBand', of: ({ pageCount }: FilterFacts) => bandsOf(PAGE_BANDS, pageCount) },
  budgetBands: { field: 'budgetBand', of: ({ budgetYuan }: FilterFacts) => bandsOf(BUDGET_BANDS, budgetYuan) },
  peopleBands: { field: 'peopleBand', of: ({ people }: FilterFacts) => bandsOf(PEOPLE_BANDS, people) },
  daysBands: { field: 'daysBand', of: ({ days }: FilterFacts) => bandsOf(DAYS_BANDS, days) },
  /** The key 1 counts the free documents. */
  free: { field: 'isFree', of: ({ isFree }: FilterFacts) => (isFree ? [1] : []) },
} as const satisfies Record<string, { field: FilterField; of: (facts: FilterFacts, now: number) => number[] }>;

export type FacetName = keyof typeof FACETS;
// Safe: the keys of the literal above.
export const FACET_NAMES = Object.keys(FACETS) as FacetName[];

/** Returns the bit of the filter field that a facet belongs to. */
export const bitOfFacet = (name: FacetName): number => FILTER_BITS[FACETS[name].field];

/** How many documents each choice would leave under all other fields of the filter, by id, year, or page band. */
export type FacetCounts = Record<FacetName, Map<number, number>>;

export function countsOf(mapOf: (name: FacetName) => Map<number, number>): FacetCounts {
  // Safe: one entry for each name.
  return Object.fromEntries(FACET_NAMES.map((name) => [name, mapOf(name)])) as FacetCounts;
}

export const noCounts = (): FacetCounts => countsOf(() => new Map());

export const copyOfCounts = (counts: FacetCounts): FacetCounts => structuredClone(counts);

/** Adds single documents to counts. `now` in epoch ms. */
export function addToFacetCounts(
  counts: FacetCounts,
  filter: DocumentFilter,
  documents: FilterFacts[],
  now: number,
): void {
  for (const facts of documents) {
    const fails = failedFilterBits(filter, facts);
    for (const name of FACET_NAMES) {
      if ((fails & ~bitOfFacet(name)) !== 0) continue;
      for (const choice of FACETS[name].of(facts, now)) counts[name].set(choice, (counts[name].get(choice) ?? 0) + 1);
    }
  }
}

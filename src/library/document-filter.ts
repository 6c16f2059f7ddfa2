import { fileKindOf, type FileType } from './file-types.ts';
import { dayText } from './rules.ts';
import { DAY_MS } from '../protocol/durations.ts';

/** Narrows a list of documents. A field that is left out, 0 or null does not narrow. */
export type DocumentFilter = {
  /** 1 PPT, 2 PDF (C-09 c). */
  fileKind?: number;
  themeId?: number;
  industryId?: number;
  /** Created at or after a moment, or in a Shanghai calendar year (C-25). */
  created?: { since: Date } | { year: number } | null;
  /** One of PAGE_BANDS. */
  pageBand?: number;
  /** Only documents that cost nothing. */
  isFree?: boolean;
};

/** Page counts from `min` to `max`, both included. A document whose pages are not counted yet is in no band. */
export const PAGE_BANDS = [
  { id: 1, min: 1, max: 20 },
  { id: 2, min: 21, max: 50 },
  { id: 3, min: 51, max: 100 },
  { id: 4, min: 101, max: 2_147_483_647 },
] as const;

export const pageBandOf = (id: number | undefined) => PAGE_BANDS.find((band) => band.id === id) ?? null;

/** `pubdate` 1, 2, 3 and their days (C-25). */
export const RECENT = [
  { id: 1, days: 3 },
  { id: 2, days: 7 },
  { id: 3, days: 30 },
] as const;

export const sinceDays = (days: number, now: number) => new Date(now - days * DAY_MS);

/** One bit per part of the filter that a document fails; 0 means a hit. The choices of a part are counted without its own bit. */
export const FAILS = { fileKind: 1, theme: 2, industry: 4, created: 8, pages: 16, free: 32 } as const;

/** The facts of a document that filters and counts read. */
export type FilterFacts = {
  fileType: FileType;
  themeIds: number[];
  /** 0 for none. */
  industryId: number;
  createdAt: Date;
  pageCount: number;
  isFree: boolean;
};

export const yearOf = (at: Date) => Number(dayText(at).slice(0, 4));

/** Returns the bits of FAILS for the parts of the filter that a document fails. */
export function failsOf(filter: DocumentFilter, facts: FilterFacts): number {
  const { fileKind, themeId, industryId, created, isFree } = filter;
  const band = pageBandOf(filter.pageBand);
  const isTooOld =
    created && ('since' in created ? facts.createdAt < created.since : yearOf(facts.createdAt) !== created.year);
  return (
    (fileKind && fileKindOf(facts.fileType).id !== fileKind ? FAILS.fileKind : 0) |
    (themeId && !facts.themeIds.includes(themeId) ? FAILS.theme : 0) |
    (industryId && facts.industryId !== industryId ? FAILS.industry : 0) |
    (isTooOld ? FAILS.created : 0) |
    (band && (facts.pageCount < band.min || facts.pageCount > band.max) ? FAILS.pages : 0) |
    (isFree && !facts.isFree ? FAILS.free : 0)
  );
}

/** How many documents each choice would leave under all other parts of the filter, by id, year, or page band. */
export type FilterCounts = {
  fileKinds: Map<number, number>;
  themes: Map<number, number>;
  industries: Map<number, number>;
  years: Map<number, number>;
  /** By `pubdate` 1, 2, 3. */
  recent: Map<number, number>;
  pageBands: Map<number, number>;
  free: number;
};

export const noCounts = (): FilterCounts => ({
  fileKinds: new Map(),
  themes: new Map(),
  industries: new Map(),
  years: new Map(),
  recent: new Map(),
  pageBands: new Map(),
  free: 0,
});

export const copyOf = (counts: FilterCounts): FilterCounts => structuredClone(counts);

/** Adds single documents to counts. `now` in epoch ms. */
export function addToCounts(counts: FilterCounts, filter: DocumentFilter, documents: FilterFacts[], now: number): void {
  const add = (map: Map<number, number>, key: number) => map.set(key, (map.get(key) ?? 0) + 1);
  for (const facts of documents) {
    const fails = failsOf(filter, facts);
    const isCounted = (own: number) => (fails & ~own) === 0;
    if (isCounted(FAILS.fileKind)) add(counts.fileKinds, fileKindOf(facts.fileType).id);
    if (isCounted(FAILS.theme)) for (const theme of facts.themeIds) add(counts.themes, theme);
    if (isCounted(FAILS.industry) && facts.industryId > 0) add(counts.industries, facts.industryId);
    if (isCounted(FAILS.created)) {
      add(counts.years, yearOf(facts.createdAt));
      for (const { id, days } of RECENT) if (facts.createdAt >= sinceDays(days, now)) add(counts.recent, id);
    }
    if (isCounted(FAILS.pages))
      for (const { id, min, max } of PAGE_BANDS)
        if (facts.pageCount >= min && facts.pageCount <= max) add(counts.pageBands, id);
    if (isCounted(FAILS.free) && facts.isFree) counts.free++;
  }
}

import { FILE_TYPES, FIRST_YEAR, FREE_BIT } from './document.ts';
import type { Block } from './each-match.ts';
import type { Filter, Result } from './query.ts';
import type { Segment } from './segment.ts';

/** One bit for each filter a document fails. Zero: it is a hit. A facet also counts those that fail only its own. */
const FAILS = { type: 1, theme: 2, industry: 4, year: 8, rest: 16 } as const;

export type Sieve = { fails(place: number): number };

/** A filter as it stands for one segment. */
export function createSieve(filter: Filter, segment: Segment): Sieve | null {
  if (Object.values(filter).every((value) => value === undefined)) return null;
  const { columns } = segment;
  const { types, themeSets, industries, years, createdSeconds, pages } = columns;
  const isType = Uint8Array.from(FILE_TYPES, (type) => (!filter.fileTypes || filter.fileTypes.includes(type) ? 1 : 0));
  const isSet = Uint8Array.from(segment.themeSets.values, (set) => Number(set.includes(filter.themeId ?? 0)));
  const industry = filter.industryId === undefined ? -1 : (segment.industries.find(filter.industryId) ?? 65_536);
  const year = filter.year === undefined ? -1 : filter.year - FIRST_YEAR;
  const since = filter.since === undefined ? 0 : Math.floor(filter.since / 1_000);
  const minPages = filter.pages?.min ?? 0;
  const maxPages = filter.pages?.max ?? Infinity;
  const hasTheme = filter.themeId !== undefined;
  const freeBit = filter.isFree === undefined ? -1 : filter.isFree ? FREE_BIT : 0;

  return {
    fails(place) {
      const type = types[place] ?? 0;
      const count = pages[place] ?? 0;
      let fails = isType[type & 3] === 1 ? 0 : FAILS.type;
      if (hasTheme && isSet[themeSets[place] ?? 0] !== 1) fails |= FAILS.theme;
      if (industry >= 0 && industries[place] !== industry) fails |= FAILS.industry;
      if (year >= 0 && years[place] !== year) fails |= FAILS.year;
      const isRefused =
        (createdSeconds[place] ?? 0) < since ||
        count < minPages ||
        count > maxPages ||
        (freeBit >= 0 && (type & FREE_BIT) !== freeBit);
      return isRefused ? fails | FAILS.rest : fails;
    },
  };
}

export type FacetCounter = {
  /** Hits, one column after the other. */
  countAll(block: Block): void;
  /** One document that fails these filters. */
  count(place: number, fails: number): void;
  addTo(facets: Result['facets']): void;
};

/** Counts by place in the segment's dictionaries, which are few; told in ids at the end. */
export function createFacetCounter(segment: Segment): FacetCounter {
  const { types, themeSets, industries, years } = segment.columns;
  const ofType = new Uint32Array(4);
  const ofSet = new Uint32Array(segment.themeSets.values.length);
  const ofIndustry = new Uint32Array(segment.industries.values.length);
  const ofYear = new Uint32Array(256);
  const bump = (counts: Uint32Array, at: number) => (counts[at] = (counts[at] ?? 0) + 1);

  return {
    countAll({ places, length }) {
      for (let at = 0; at < length; at++) bump(ofType, (types[places[at] ?? 0] ?? 0) & 3);
      for (let at = 0; at < length; at++) bump(ofSet, themeSets[places[at] ?? 0] ?? 0);
      for (let at = 0; at < length; at++) bump(ofIndustry, industries[places[at] ?? 0] ?? 0);
      for (let at = 0; at < length; at++) bump(ofYear, years[places[at] ?? 0] ?? 0);
    },
    count(place, fails) {
      if ((fails & ~FAILS.type) === 0) bump(ofType, (types[place] ?? 0) & 3);
      if ((fails & ~FAILS.theme) === 0) bump(ofSet, themeSets[place] ?? 0);
      if ((fails & ~FAILS.industry) === 0) bump(ofIndustry, industries[place] ?? 0);
      if ((fails & ~FAILS.year) === 0) bump(ofYear, years[place] ?? 0);
    },
    addTo(facets) {
      FILE_TYPES.forEach((type, at) => add(facets.fileTypes, type, ofType[at] ?? 0));
      segment.themeSets.values.forEach((set, at) => {
        const count = ofSet[at] ?? 0;
        if (count > 0) for (const theme of set) add(facets.themes, theme, count);
      });
      segment.industries.values.forEach((id, at) => id > 0 && add(facets.industries, id, ofIndustry[at] ?? 0));
      ofYear.forEach((count, year) => add(facets.years, year + FIRST_YEAR, count));
    },
  };
}

function add<T>(counts: Map<T, number>, key: T, count: number): void {
  if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count);
}

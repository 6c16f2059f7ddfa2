import { z } from 'zod';

const MAX_PAGE_SIZE = 50;
/** Far beyond any list; keeps page × size inside an exact integer. */
const MAX_PAGE = 1_000_000;

/** A number in any dress a client may send; anything that is not a finite number counts as absent. */
const looseInteger = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value !== 'number' && typeof value !== 'string') return null;
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
    return Number.isFinite(number) ? Math.trunc(number) : null;
  });

/** `page` ≥ 1, else 1 (C-07). */
export const pageNumber = looseInteger.transform((page) => (page === null || page < 1 ? 1 : Math.min(page, MAX_PAGE)));

/** `pageSize` clamped to 1–50, the list's own default when absent (C-07). */
export const pageSize = (fallback: number) =>
  looseInteger.transform((size) => (size === null ? fallback : Math.min(Math.max(size, 1), MAX_PAGE_SIZE)));

/** A filter value: a non-negative integer, 0 (all) for anything else. */
export const filterId = looseInteger.transform((id) => (id === null || id < 0 || id > 2_147_483_647 ? 0 : id));

/** A row id, number or numeric string (C-08); 0, which no row has, for anything else, so that it answers "not found". */
export const rowId = z
  .unknown()
  .optional()
  .transform((value) => {
    const isNumeric = typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value));
    const id = isNumeric ? Number(value) : 0;
    return Number.isSafeInteger(id) && id > 0 ? id : 0;
  });

/** At most `most` row ids, each once: an array, or its JSON text. Empty for anything else. */
export const rowIds = (most: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      const list = typeof value === 'string' ? parseJson(value) : value;
      if (!Array.isArray(list)) return [];
      const ids = list.slice(0, most).map((id) => rowId.parse(id));
      return [...new Set(ids)].filter((id) => id > 0);
    });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The uniform paging fields sent beside each call's own names (C-07). */
export const pagedFields = { page: z.number().int(), page_size: z.number().int(), total: z.number().int() };

export type PageWanted = { page: number; pageSize: number };

export const offsetOf = ({ page, pageSize: size }: PageWanted) => (page - 1) * size;

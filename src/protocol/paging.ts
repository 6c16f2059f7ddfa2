import { z } from 'zod';
import { looseInteger } from './fields.ts';

const MAX_PAGE_SIZE = 50;
/** Far beyond any list; keeps page × size inside an exact integer. */
const MAX_PAGE = 1_000_000;

/** `page` ≥ 1, else 1 (C-07). */
export const pageNumber = looseInteger
  .transform((page) => (page === null || page < 1 ? 1 : Math.min(page, MAX_PAGE)))
  .meta({ type: ['integer', 'string'], minimum: 1, default: 1, description: '页码，从 1 开始；其他值按 1 处理' });

/** `pageSize` clamped to 1–50, the list's own default when absent (C-07). */
export const pageSize = (fallback: number) =>
  looseInteger
    .transform((size) => (size === null ? fallback : Math.min(Math.max(size, 1), MAX_PAGE_SIZE)))
    .meta({
      type: ['integer', 'string'],
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: fallback,
      description: `每页条数，限制在 1–${MAX_PAGE_SIZE}`,
    });

/** The uniform paging fields sent beside each call's own names (C-07). */
export const pagedFields = {
  page: z.number().int().describe('页码'),
  page_size: z.number().int().describe('每页条数'),
  total: z.number().int().describe('总条数'),
};

export type PageWanted = { page: number; pageSize: number };

export const offsetOf = ({ page, pageSize: size }: PageWanted) => (page - 1) * size;

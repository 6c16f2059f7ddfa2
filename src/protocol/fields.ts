import { z } from 'zod';

/** A boolean on the wire. */
export const flag = z.union([z.literal(0), z.literal(1)]);

/** JSON schema of a field that accepts a number or its text, for the API reference; zod cannot express the accepted types. */
export const INTEGER_OR_TEXT = { type: ['integer', 'string'] };

/** Accepts a number or its text. Returns null for anything that is not a finite number. */
export const looseInteger = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value !== 'number' && typeof value !== 'string') return null;
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
    return Number.isFinite(number) ? Math.trunc(number) : null;
  })
  .meta(INTEGER_OR_TEXT);

/** A filter value: a non-negative integer, 0 (all) for anything else. */
export const filterId = looseInteger
  .transform((id) => (id === null || id < 0 || id > 2_147_483_647 ? 0 : id))
  .meta({ ...INTEGER_OR_TEXT, default: 0 });

/** A row id, number or numeric string (C-08); 0, which no row has, for anything else, so that it answers "not found". */
export const rowId = z
  .unknown()
  .optional()
  .transform((value) => {
    const isNumeric = typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value));
    const id = isNumeric ? Number(value) : 0;
    return Number.isSafeInteger(id) && id > 0 ? id : 0;
  })
  .meta({ ...INTEGER_OR_TEXT, examples: [9], isRequired: true });

/** The number of the caller's session, which may be left out; the API answers another one with 2 before a verb runs (C-03). */
export const ownSid = z
  .unknown()
  .optional()
  .meta({ type: 'string', description: '会话编号，可省略；给出时须与 token 一致，否则返回 2' });

/** At most `maxCount` row ids, each once: an array, or its JSON text. Empty for anything else; a longer list is refused, since a part of it would be done in silence. */
export const rowIds = (maxCount: number) =>
  z
    .unknown()
    .optional()
    .transform((value, context) => {
      const list = typeof value === 'string' ? parseJson(value) : value;
      if (!Array.isArray(list)) return [];
      if (list.length > maxCount) {
        context.addIssue({ code: 'custom', message: `一次至多 ${maxCount} 个` });
        return z.NEVER;
      }
      const ids = list.map((id) => rowId.parse(id));
      return [...new Set(ids)].filter((id) => id > 0);
    })
    .meta({ type: ['array', 'string'], examples: [[9, 12]], isRequired: true });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

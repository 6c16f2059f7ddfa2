import type { ByteRange } from '../files/file-store.ts';

/** What a Range header asks for of `size` bytes: one part, the whole, or something that is not there. */
export type WantedRange = ByteRange | 'whole' | 'unsatisfiable';

/**
 * Reads a Range header (RFC 9110, 14). Several parts, other units and what cannot be understood count as the whole
 * file, which the RFC allows and which no list of a thousand parts can turn into work.
 */
export function parseRange(header: string | null, size: number): WantedRange {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Number(last);
  if (end < start && last !== '') return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: Math.min(end, size - 1) };
}

/** What the client has already: an ETag and the time of a change. */
export type Validators = { etag: string; lastModified: Date };

/** True when the copy of the client is still good (RFC 9110, 13.1): answer 304. */
export function isNotModified(headers: Headers, current: Validators): boolean {
  const tags = headers.get('if-none-match');
  if (tags !== null) return hasEtag(tags, current.etag);
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return since >= wholeSeconds(current.lastModified);
}

/** True when `tags`, the value of If-None-Match, names `etag`; compared weakly (RFC 9110, 13.1.2). */
export function hasEtag(tags: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return tags.split(',', 50).some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}

/** False when the part asked for belongs to another version (If-Range): send the whole file. */
export function isRangeOfThis(headers: Headers, current: Validators): boolean {
  const condition = headers.get('if-range')?.trim();
  if (!condition) return true;
  return condition === current.etag || Date.parse(condition) === wholeSeconds(current.lastModified);
}

function wholeSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000) * 1000;
}

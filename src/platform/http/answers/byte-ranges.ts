import type { ByteRange } from '../../files/file-store.ts';

/** The result of reading a Range header for `size` bytes: one part, the whole file, or a range outside the file. */
type WantedRange = ByteRange | 'whole' | 'unsatisfiable';

/**
 * Reads a Range header (RFC 9110, 14). Several parts, other units and syntax errors count as the whole file: the RFC
 * allows that, and no list of a thousand parts can then cost work.
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

/** The version that the client has: an ETag and the time of the last change. */
type Validators = { etag: string; lastModified: Date };

/** True when the client's copy is current (RFC 9110, 13.1), so that the answer is 304. */
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

/** Returns false when the requested part belongs to another version (If-Range); the whole file is sent then. */
export function isRangeOfThis(headers: Headers, current: Validators): boolean {
  const condition = headers.get('if-range')?.trim();
  if (!condition) return true;
  return condition === current.etag || Date.parse(condition) === wholeSeconds(current.lastModified);
}

function wholeSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000) * 1000;
}

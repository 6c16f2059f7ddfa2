/**
 * JSON of the payment providers, in which no object may have a key twice: JSON.parse keeps the last of two equal keys, other
 * readers the first, so that a signature or a check of the one proves nothing about the other.
 */

/** Where a value stands in a JSON text. */
type Range = { start: number; end: number };

/** Thrown inside this file for a text that is not JSON, or in which an object has a key twice. */
class BadJson extends Error {}

const MAX_DEPTH = 20;
// oxlint-disable-next-line no-control-regex -- JSON has none in its strings.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const PRIMITIVE = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

/** Returns the text that the bytes hold in UTF-8, a byte order mark included; null for other bytes. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the object that the bytes hold as JSON in UTF-8; null for anything else, and when any object in it, at any depth,
 * has a key twice.
 */
export function readObject(bytes: Uint8Array): Record<string, unknown> | null {
  const text = decodeUtf8(bytes);
  if (text === null || readTopLevel(text) === null) return null;
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : null;
}

/**
 * Returns the values of the top-level keys of a JSON object, as texts: the exact characters that a signature covers. Null for
 * anything else than one whole JSON object, and when any object in it, at any depth, has a key twice.
 */
export function readTopLevel(text: string): Map<string, string> | null {
  try {
    const at = { index: skipSpace(text, 0) };
    const entries = scanObject(text, at, 0);
    if (skipSpace(text, at.index) !== text.length) return null;
    return new Map([...entries].map(([key, { start, end }]) => [key, text.slice(start, end)]));
  } catch (error) {
    if (error instanceof BadJson) return null;
    throw error;
  }
}

type Cursor = { index: number };

function scanObject(text: string, at: Cursor, depth: number): Map<string, Range> {
  const entries = new Map<string, Range>();
  expectSign(text, at, '{');
  if (text[at.index] === '}') {
    at.index += 1;
    return entries;
  }
  for (;;) {
    const key = keyOf(scanToken(text, at, STRING));
    if (entries.has(key)) throw new BadJson();
    at.index = skipSpace(text, at.index);
    expectSign(text, at, ':');
    const start = at.index;
    scanValue(text, at, depth + 1);
    entries.set(key, { start, end: at.index });
    if (isLast(text, at, '}')) return entries;
  }
}

function scanArray(text: string, at: Cursor, depth: number): void {
  expectSign(text, at, '[');
  if (text[at.index] === ']') {
    at.index += 1;
    return;
  }
  do scanValue(text, at, depth + 1);
  while (!isLast(text, at, ']'));
}

function scanValue(text: string, at: Cursor, depth: number): void {
  if (depth > MAX_DEPTH) throw new BadJson();
  const sign = text[at.index];
  if (sign === '{') scanObject(text, at, depth);
  else if (sign === '[') scanArray(text, at, depth);
  else scanToken(text, at, sign === '"' ? STRING : PRIMITIVE);
}

/** After a member: true when `end` closes the list, false when a comma goes on with it. */
function isLast(text: string, at: Cursor, end: '}' | ']'): boolean {
  at.index = skipSpace(text, at.index);
  if (text[at.index] === end) {
    at.index += 1;
    return true;
  }
  expectSign(text, at, ',');
  return false;
}

function expectSign(text: string, at: Cursor, sign: string): void {
  if (text[at.index] !== sign) throw new BadJson();
  at.index = skipSpace(text, at.index + 1);
}

function scanToken(text: string, at: Cursor, token: RegExp): string {
  token.lastIndex = at.index;
  const found = token.exec(text)?.[0];
  if (!found) throw new BadJson();
  at.index += found.length;
  return found;
}

function skipSpace(text: string, index: number): number {
  SPACE.lastIndex = index;
  return index + (SPACE.exec(text)?.[0].length ?? 0);
}

/** Two spellings of a key, one of them with escapes, are the same key. */
const keyOf = (quoted: string): string => String(JSON.parse(quoted));

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTopLevel } from './strict-json.ts';

test('the values of an answer are the exact characters between their keys', () => {
  const text = '{ "a_response" : {"code":"10000", "u":"https:\\/\\/x"} ,"sign":"abc=" }';
  expect([...(readTopLevel(text) ?? [])]).toEqual([
    ['a_response', '{"code":"10000", "u":"https:\\/\\/x"}'],
    ['sign', '"abc="'],
  ]);
});

test.each([
  ['a key twice at the top', '{"a":1,"a":2}'],
  ['a key twice within', '{"a":{"b":1,"b":2}}'],
  ['a key twice in a list', '{"a":[{"b":1,"b":2}]}'],
  ['a key twice, once with escapes', '{"a":1,"\\u0061":2}'],
  ['a list', '[1]'],
  ['a text', '"a"'],
  ['nothing', ''],
  ['two objects', '{"a":1}{"a":1}'],
  ['something behind', '{"a":1}x'],
  ['a comma at the end', '{"a":1,}'],
  ['no colon', '{"a" 1}'],
  ['a bare key', '{a:1}'],
  ['single quotes', "{'a':1}"],
  ['a control character', '{"a":"\n"}'],
  ['a wrong escape', '{"a":"\\x"}'],
  ['a number with a zero before', '{"a":01}'],
  ['an end too early', '{"a":{"b":1}'],
  ['too deep', `{"a":${'['.repeat(50)}${']'.repeat(50)}}`],
])('%s is refused', (_what, text) => {
  expect(readTopLevel(text)).toBeNull();
});

const plain = fc.jsonValue({ maxDepth: 6 });

test('what JSON.stringify writes is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), plain), fc.constantFrom(0, 1, 2), (object, indent) => {
      const text = JSON.stringify(object, null, indent);
      const read = readTopLevel(text);
      const parsed: object = JSON.parse(text);
      expect([...(read ?? [])].map(([key, value]) => [key, JSON.parse(value)])).toEqual(
        expect.arrayContaining(Object.entries(parsed)),
      );
      expect(read?.size).toBe(Object.keys(parsed).length);
    }),
    { numRuns: 300 },
  );
});

test('a text is refused exactly when JSON.parse refuses it, or a key is there twice; it never throws', () => {
  const sign = fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '"a"', '"b"', '1', '-', 'e', 'true', ' ', '\\', '\n');
  const member = fc.constantFrom('"a":1', '"b":{"a":1}', '"a":[{"b":1}]', '"c":{"a":1,"a":2}', '"b":"\\""');
  fc.assert(
    fc.property(fc.array(fc.oneof(sign, member, fc.constant(',')), { maxLength: 12 }), (parts) => {
      const text = `{${parts.join('')}}`;
      const value = tryParse(text);
      // Each colon outside of a string belongs to a key; equal keys leave fewer.
      const colons = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
      expect(readTopLevel(text) !== null).toBe(value !== null && keysIn(value) === colons);
    }),
    { numRuns: 5_000 },
  );
});

function tryParse(text: string): object | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce((sum: number, one) => sum + keysIn(one), 0);
  return inside + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

test('a long text is read in time that grows with its length', () => {
  const text = `{"a":[${'{"b":"c"},'.repeat(100_000)}1],"d":"${'\\"'.repeat(200_000)}"}`;
  expect(readTopLevel(text)?.get('d')).toHaveLength(400_002);
});

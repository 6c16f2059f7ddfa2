import { expect, test } from 'vitest';
import { checkXml } from './check-xml.ts';
import type { XmlFault } from './check-xml.ts';

function check(bytes: Buffer, step: number): XmlFault | null {
  const xml = checkXml();
  for (let at = 0; at < bytes.length; at += step) {
    const fault = xml.push(bytes.subarray(at, at + step));
    if (fault !== null) return fault;
  }
  return xml.end();
}

const head = '<?xml version="1.0" encoding="UTF-8"?>';

test.for<[xml: string, fault: XmlFault | null]>([
  [`${head}<a><b/>年<c d="1>2" e='/'>f</c></a>`, null],
  ['\ufeff<a/>', null],
  ['<a><!-- <!DOCTYPE --- ><b> --></a>', null],
  ['<a><![CDATA[<!ENTITY ]] ]>]]></a>', null],
  ['<a><?php <b> ?></a>', null],
  // What stands in quotes ends no tag, and a mark that opens does not close.
  [`<a b="/>"><c d='/>'></c></a>`, null],
  ['<a><!-- -> <b> --><!--> <b> --><!---> <b> --></a>', null],
  ['<a><![CDATA[ ]> <b> ]]></a>', null],
  ['<a><?> <b> ?></a>', null],
  ['<a/><!-- ', 'unbalanced'],
  ['<a><></a>', 'unbalanced'],
  ['<<a/>', 'unbalanced'],
  ['< a/>', 'unbalanced'],
  [`${head}<!DOCTYPE a><a/>`, 'dtd'],
  ['<a><!ENTITY b "c"></a>', 'dtd'],
  [`${'<a>'.repeat(256)}${'</a>'.repeat(256)}`, null],
  [`${'<a>'.repeat(257)}${'</a>'.repeat(257)}`, 'depth'],
  ['<a><b></a>', 'unbalanced'],
  ['<a/></a>', 'unbalanced'],
  ['<a b="', 'unbalanced'],
  ['<a><!-- ', 'unbalanced'],
  ['<a < b></a>', 'unbalanced'],
  ['no markup', 'unbalanced'],
  ['<?xml version="1.0" encoding="UTF-7"?><a/>', 'encoding'],
  ['\0<\0a\0/\0>', 'encoding'],
])('%j', ([xml, fault]) => {
  const bytes = Buffer.from(xml);
  expect(check(bytes, bytes.length)).toBe(fault);
  // Chunks may end anywhere; the declaration is read from the first chunk.
  if (!xml.startsWith('<?xml version="1.0" encoding="UTF-7'))
    for (const step of [2, 3, 7]) expect(check(bytes, step)).toBe(fault);
});

test('UTF-16 is decoded', () => {
  expect(check(Buffer.from('\ufeff<a>㰀</a>', 'utf16le'), 5)).toBe(null);
  expect(check(Buffer.from('\ufeff<!DOCTYPE a><a/>', 'utf16le').swap16(), 4)).toBe('dtd');
});

test('tells the encoding even when the bytes come one by one', () => {
  const check = checkXml();
  const bytes = Buffer.from('\ufeff<!DOCTYPE a><a/>', 'utf16le');
  const faults = [...bytes].map((byte) => check.push(Buffer.from([byte])));
  expect([...faults, check.end()]).toContain('dtd');
});

test('a declaration of a kilobyte is refused', () => {
  const declared = (spaces: number) => Buffer.from(`<?xml version="1.0"${' '.repeat(spaces)}?><a/>`);
  expect(check(declared(900), 10_000)).toBe(null);
  expect(check(declared(1_100), 10_000)).toBe('encoding');
});

test('a part is checked while it is read, not at its end', () => {
  expect(checkXml().push(Buffer.from(`<a>${' '.repeat(1_020)}<!DOCTYPE`))).toBe('dtd');
});

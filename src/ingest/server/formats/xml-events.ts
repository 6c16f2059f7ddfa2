/** Names have no namespace prefix; `attributes` is the raw text after the name; `text` is unescaped. */
type XmlEvent =
  | { type: 'open'; name: string; attributes: string; empty: boolean }
  | { type: 'close'; name: string }
  | { type: 'text'; text: string };

/**
 * Yields the events of XML that has passed `check-xml.ts`, without building a tree: a 30 MB slide needs no more memory
 * than its text. XML that is not well formed is skipped, never thrown.
 */
export function* xmlEvents(xml: string): Generator<XmlEvent> {
  let at = 0;
  while (at < xml.length) {
    const open = xml.indexOf('<', at);
    if (open < 0) return;
    if (open > at) yield { type: 'text', text: unescapeXml(xml.slice(at, open)) };
    if (xml.startsWith('<!--', open)) {
      at = after(xml, '-->', open + 4);
    } else if (xml.startsWith('<![CDATA[', open)) {
      at = after(xml, ']]>', open + 9);
      yield { type: 'text', text: xml.slice(open + 9, Math.max(open + 9, at - 3)) };
    } else if (xml.startsWith('<?', open)) {
      at = after(xml, '?>', open + 2);
    } else {
      const end = tagEnd(xml, open + 1);
      if (end < 0) return;
      yield tagEvent(xml.slice(open + 1, end));
      at = end + 1;
    }
  }
}

function tagEvent(tag: string): XmlEvent {
  if (tag.startsWith('/')) return { type: 'close', name: localName(tag.slice(1).trim()) };
  const empty = tag.endsWith('/');
  const body = empty ? tag.slice(0, -1) : tag;
  const space = body.search(/\s/);
  if (space < 0) return { type: 'open', name: localName(body), attributes: '', empty };
  return { type: 'open', name: localName(body.slice(0, space)), attributes: body.slice(space), empty };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function after(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from);
  return at < 0 ? xml.length : at + mark.length;
}

/** Returns the position of the `>` that ends a tag; a `>` inside a quoted value is skipped. */
export function tagEnd(xml: string, from: number): number {
  let quote = 0;
  for (let at = from; at < xml.length; at++) {
    const char = xml.charCodeAt(at);
    if (quote) {
      if (char === quote) quote = 0;
    } else if (char === 0x22 || char === 0x27) quote = char;
    else if (char === 0x3e) return at;
  }
  return -1;
}

const ATTRIBUTE = /\s*([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/** Yields the attributes with prefixes and values. Text inside a value that looks like an attribute is not yielded. */
export function* xmlAttributes(attributes: string): Generator<[name: string, value: string]> {
  for (let at = 0; ;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(attributes);
    if (!found) return;
    at = ATTRIBUTE.lastIndex;
    const [, name = '', value = found[3] ?? ''] = found;
    yield [name, unescapeXml(value)];
  }
}

/** Returns the value of an attribute by its full name with prefix; null when it is absent. */
export function xmlAttribute(attributes: string, name: string): string | null {
  if (!attributes.includes(name)) return null;
  for (const [is, value] of xmlAttributes(attributes)) if (is === name) return value;
  return null;
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x0*([0-9a-fA-F]{1,6})|#0*(\d{1,7})|([a-z]{2,4}));/g,
    (whole, hex?: string, dec?: string, name?: string) => {
      if (name) return NAMED[name] ?? whole;
      const code = hex ? Number.parseInt(hex, 16) : Number(dec);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}

/** Decodes an XML part: UTF-8, or UTF-16 with a byte order mark. */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}

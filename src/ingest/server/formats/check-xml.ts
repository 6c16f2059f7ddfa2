import { ingestLimits as limits } from '../../rules.ts';

/** Why an XML part is refused: a DTD, too many or too deep elements, an unexpected encoding, tags without a partner. */
export type XmlFault = 'dtd' | 'depth' | 'elements' | 'encoding' | 'unbalanced';

type XmlCheck = {
  /** Checks the next bytes of the part. Returns the first fault; further bytes are ignored. */
  push(chunk: Uint8Array): XmlFault | null;
  /** Checks the end of the part. */
  end(): XmlFault | null;
  /** Returns the number of elements so far. */
  elements(): number;
};

/** Encodings with ASCII markup: the check sees the same tags as LibreOffice. */
const PLAIN = /^(utf-?8|us-ascii|ascii|iso-8859-\d+|windows-125\d|gb2312|gbk|gb18030|big5|shift_jis|euc-(jp|kr))$/i;

/**
 * Checks XML as a stream, in constant memory: parsers that read the part afterwards find neither entities nor deep
 * nesting.
 */
export function checkXml(): XmlCheck {
  const scan = scanMarkup();
  let decoder: TextDecoder | null = null;
  /** The first bytes, until the encoding is known: a stream may deliver them one by one. Null afterwards. */
  let head: Buffer | null = Buffer.alloc(0);
  const start = (first: Buffer): XmlFault | null => {
    head = null;
    decoder = utf16Decoder(first);
    if (decoder === null && oddEncoding(first)) return 'encoding';
    return feed(first);
  };
  const feed = (chunk: Uint8Array) => scan.push(decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk);
  return {
    push(chunk) {
      if (head === null) return feed(chunk);
      head = Buffer.concat([head, chunk]);
      return head.length < HEAD_BYTES ? null : start(head);
    },
    end: () => (head === null ? null : start(head)) ?? scan.end(),
    elements: () => scan.elements(),
  };
}

function utf16Decoder(chunk: Uint8Array): TextDecoder | null {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return new TextDecoder('utf-16le');
  if (chunk[0] === 0xfe && chunk[1] === 0xff) return new TextDecoder('utf-16be');
  return null;
}

function oddEncoding(chunk: Uint8Array): boolean {
  if (chunk[0] === 0 || chunk[1] === 0) return true;
  const head = Buffer.from(chunk.subarray(0, HEAD_BYTES)).toString('latin1');
  const declaration = /^(?:\xef\xbb\xbf)?\s*<\?xml([^>]*)(>?)/.exec(head);
  if (!declaration) return false;
  // An XML declaration of a kilobyte is refused.
  if (declaration[2] === '') return head.length === HEAD_BYTES;
  const encoding = /\bencoding\s*=\s*["']([^"']*)["']/.exec(declaration[1] ?? '')?.[1];
  return encoding !== undefined && !PLAIN.test(encoding);
}

const HEAD_BYTES = 1024;
const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;

type State = 'text' | 'head' | 'tag' | 'comment' | 'cdata' | 'instruction';

function scanMarkup(): XmlCheck {
  let state: State = 'text';
  let head = '';
  let closing = false;
  let quote = 0;
  let last = 0;
  let before = 0;
  let depth = 0;
  let elements = 0;

  /** Reads the first characters after `<`, which tell the kind of markup. */
  const readHead = (byte: number): XmlFault | null => {
    head += String.fromCharCode(byte);
    if (head[0] === '?') state = 'instruction';
    else if (head[0] === '!') {
      if (head === '!--') state = 'comment';
      else if (head === '![CDATA[') state = 'cdata';
      // Every other declaration belongs to a DTD.
      else if (!'!--'.startsWith(head) && !'![CDATA['.startsWith(head)) return 'dtd';
    } else {
      if (byte === GT || byte === LT || byte <= 0x20) return 'unbalanced';
      closing = byte === SLASH;
      state = 'tag';
    }
    last = 0;
    return null;
  };

  const endTag = (): XmlFault | null => {
    state = 'text';
    if (closing) return --depth < 0 ? 'unbalanced' : null;
    if (++elements > limits.xmlElements) return 'elements';
    if (last !== SLASH) depth++;
    return depth > limits.xmlDepth ? 'depth' : null;
  };

  const readTag = (byte: number): XmlFault | null => {
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === 0x22 || byte === 0x27) quote = byte;
    else if (byte === GT) return endTag();
    else if (byte === LT) return 'unbalanced';
    last = byte;
    return null;
  };

  /** Skips a comment (to `-->`), CDATA (to `]]>`) or an instruction (to `?>`). */
  const readUntilMark = (byte: number): void => {
    const mark = state === 'comment' ? 0x2d : state === 'cdata' ? 0x5d : 0x3f;
    if (byte === GT && last === mark && (state === 'instruction' || before === mark)) state = 'text';
    before = last;
    last = byte;
  };

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length; at++) {
        if (state === 'text') {
          at = chunk.indexOf(LT, at);
          if (at < 0) return null;
          state = 'head';
          head = '';
          continue;
        }
        const byte = chunk[at] ?? 0;
        if (state === 'tag') {
          const fault = readTag(byte);
          if (fault !== null) return fault;
        } else if (state === 'head') {
          const fault = readHead(byte);
          if (fault !== null) return fault;
        } else readUntilMark(byte);
      }
      return null;
    },
    end: () => (depth === 0 && state === 'text' && elements > 0 ? null : 'unbalanced'),
    elements: () => elements,
  };
}

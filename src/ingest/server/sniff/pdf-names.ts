import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

/**
 * Where the lexer stops: a name that may be a wanted one or `ObjStm` (ISO 32000-1, 7.3.5), the beginning of a string or a comment, or of the
 * content of a stream (7.3.8.1), which stands behind a dictionary: in `/stream` or `/a-stream` the same letters are a name.
 */
const TOKEN = /[(%]|\/(?=[#JLO])([^\0\t\n\f\r ()<>[\]{}/%]{0,127})|(?<=[\0\t\n\f\r >])stream(?: *\r?\n| *\r)/g;
/** The characters with a meaning inside a string (7.3.4.2). */
const [BACKSLASH, OPENING, CLOSING] = [0x5c, 0x28, 0x29];
const LINE_END = /[\r\n]/g;
const END = 'endstream';
/** More than the longest token; a token that begins this near to the end of what was read waits for the rest. */
const MARGIN = 160;
/** Maximum length of a string in characters. A parenthesis that is not closed within this length opened no string: it stands alone, as in a damaged file. */
const MAX_STRING = 64 * 1024;
/** Limits of compressed object streams: compressed bytes of one stream, inflated bytes of one stream, inflated bytes of a whole file. */
const MAX_PACKED = 2 * 1024 * 1024;
const MAX_INFLATED = 4 * 1024 * 1024;
const MAX_INFLATED_TOTAL = 32 * 1024 * 1024;
/** What a stream counts at least: a file may have millions that inflate to nothing, each of which costs a call. */
const MIN_INFLATED = 4 * 1024;

/** `push` reads the next bytes of a file; `end` reads the bytes that `push` held back. `seen` is complete after `end`. */
type NameReader<Name extends string> = { push(chunk: Buffer): Promise<void>; end(): Promise<void>; seen: Set<Name> };

/**
 * Looks for names among the objects of a PDF, also of those in compressed object streams (7.5.7). The same words in a text, a comment or the
 * content of a page are no names. Never rejects: a damaged file is read as far as possible.
 */
export function readPdfNames<Name extends string>(wanted: readonly Name[]): NameReader<Name> {
  const seen = new Set<Name>();
  let inflatedBytes = 0;
  const lexer = createLexer(wanted, seen);
  const look = async (packed: Buffer[]) => {
    for (const bytes of packed) {
      if (inflatedBytes > MAX_INFLATED_TOTAL) return;
      // Objects of an encrypted file cannot be inflated, and neither can damaged ones.
      const objects = await promisify(inflate)(bytes, { maxOutputLength: MAX_INFLATED }).catch(() => null);
      inflatedBytes += Math.max(objects?.length ?? MAX_INFLATED, MIN_INFLATED);
      if (objects) createLexer(wanted, seen).read(objects.toString('latin1'), true);
    }
  };
  return {
    seen,
    push: (chunk) => look(lexer.read(chunk.toString('latin1'), false)),
    end: () => look(lexer.read('', true)),
  };
}

/** `read` takes the next characters, notes the names in them, and returns the object streams that have ended. */
function createLexer<Name extends string>(wanted: readonly Name[], seen: Set<Name>) {
  let state: 'objects' | 'string' | 'comment' | 'stream' = 'objects';
  let rest = '';
  /** How many characters of `rest` were read before, and are kept for what has to stand behind them. */
  let before = 0;
  let depth = 0;
  let stringLength = 0;
  let isEscaped = false;
  /** True after the name `ObjStm`: the next stream is an object stream, whose content is kept in `content`. */
  let isObjectStream = false;
  let content: string[] = [];
  let contentLength = 0;
  const note = (written: string) => {
    const name = written.replace(/#([\da-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (name === 'ObjStm') isObjectStream = true;
    const found = wanted.find((each) => each === name);
    if (found !== undefined) seen.add(found);
  };
  const keep = (part: string) => {
    contentLength += part.length;
    if (isObjectStream && contentLength <= MAX_PACKED) content.push(part);
  };

  let ended: Buffer[] = [];

  /** One reader for each state: reads from a position, and returns where the next state begins; -1 when nothing but `rest` is left of the text. */
  const readers = {
    objects(text: string, from: number, ready: number): number {
      let used = from;
      TOKEN.lastIndex = from;
      for (let token = TOKEN.exec(text); token !== null && token.index < ready; token = TOKEN.exec(text)) {
        const [mark, name] = token;
        used = TOKEN.lastIndex;
        if (name === undefined) {
          state = mark === '(' ? 'string' : mark === '%' ? 'comment' : 'stream';
          depth = 1;
          stringLength = 0;
          isEscaped = false;
          return used;
        }
        note(name);
      }
      const cut = Math.max(used, ready);
      before = Math.min(cut, 1);
      rest = text.slice(cut - before);
      return -1;
    },
    string(text: string, from: number, ready: number): number {
      for (let at = from; at < ready; at++) {
        const code = text.charCodeAt(at);
        // The character after a backslash may be the first of the next chunk.
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === OPENING) depth++;
        else if (code === CLOSING) depth--;
        if (depth > 0 && ++stringLength <= MAX_STRING) continue;
        state = 'objects';
        return at + 1;
      }
      rest = text.slice(Math.max(from, ready));
      return -1;
    },
    comment(text: string, from: number): number {
      LINE_END.lastIndex = from;
      const end = LINE_END.exec(text);
      if (end) state = 'objects';
      return end?.index ?? -1;
    },
    stream(text: string, from: number): number {
      const to = text.indexOf(END, from);
      if (to < 0) {
        const kept = Math.max(from, text.length - END.length);
        keep(text.slice(from, kept));
        rest = text.slice(kept);
        return -1;
      }
      keep(text.slice(from, to));
      if (isObjectStream && contentLength <= MAX_PACKED) ended.push(Buffer.from(content.join(''), 'latin1'));
      state = 'objects';
      isObjectStream = false;
      content = [];
      contentLength = 0;
      return to + END.length;
    },
  };
  return {
    read(more: string, isLast: boolean): Buffer[] {
      const text = rest + more;
      const ready = isLast ? text.length : text.length - MARGIN;
      let at = before;
      rest = '';
      before = 0;
      ended = [];
      while (at >= 0 && at < text.length) at = readers[state](text, at, ready);
      return ended;
    },
  };
}

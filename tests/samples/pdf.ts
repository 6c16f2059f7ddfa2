/** Small PDFs for tests, good and hostile, made by hand so that every byte can be wrong on purpose. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export type SamplePage = {
  width?: number;
  height?: number;
  text?: string;
  /** Content stream before the text. */
  content?: string | Buffer;
  /** Degrees clockwise. */
  rotate?: number;
  /** Tagged figures; `box` from the lower left corner of the page. */
  figures?: { alt: string; box?: [number, number, number, number] }[];
};
export type SamplePdf = {
  pages: SamplePage[];
  bookmarks?: { title: string; page: number }[];
  /** Password to open it; '' for one that only its owner's password protects. */
  userPassword?: string;
  /** Entries added to the catalog. */
  catalog?: string;
};

/** A PDF with a cross-reference table; content streams are deflated. */
export function pdfOf(pdf: SamplePdf): Buffer {
  const objects: Buffer[] = [];
  const add = (body: string | Buffer) => objects.push(Buffer.from(body));
  const firstPage = 4;
  const firstBookmark = firstPage + pdf.pages.length * 2;
  const bookmarks = pdf.bookmarks ?? [];
  const outlines = firstBookmark + bookmarks.length;
  const kids = pdf.pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(' ');
  const figures = pdf.pages.flatMap((page, index) => (page.figures ?? []).map((figure) => ({ ...figure, index })));
  const tree = outlines + (bookmarks.length ? 1 : 0);
  const tagged = figures.length ? `/MarkInfo << /Marked true >> /StructTreeRoot ${tree} 0 R` : '';
  add(
    `<< /Type /Catalog /Pages 2 0 R ${bookmarks.length ? `/Outlines ${outlines} 0 R` : ''} ${tagged} ${pdf.catalog ?? ''} >>`,
  );
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pdf.pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const key = pdf.userPassword === undefined ? null : encryption(pdf.userPassword);
  for (const [index, page] of pdf.pages.entries()) {
    const { width = 960, height = 540, text = '', content = '' } = page;
    add(
      `<< /Type /Page /Parent 2 0 R /StructParents ${index} /Rotate ${page.rotate ?? 0} /MediaBox [0 0 ${width} ${height}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${objects.length + 2} 0 R >>`,
    );
    const drawn = Buffer.concat([
      Buffer.from(content),
      Buffer.from(`\nBT /F1 36 Tf 40 ${height / 2} Td (${text}) Tj ET`),
    ]);
    const packed = deflateSync(drawn);
    const number = firstPage + index * 2 + 1;
    const stream = key ? key.encrypt(number, packed) : packed;
    add(
      Buffer.concat([
        Buffer.from(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`),
        stream,
        Buffer.from('\nendstream'),
      ]),
    );
  }
  for (const [index, bookmark] of bookmarks.entries()) {
    const next = index + 1 < bookmarks.length ? `/Next ${firstBookmark + index + 1} 0 R` : '';
    add(
      `<< /Title ${textString(bookmark.title)} /Parent ${outlines} 0 R ${next} /Dest [${firstPage + (bookmark.page - 1) * 2} 0 R /Fit] >>`,
    );
  }
  if (bookmarks.length)
    add(`<< /Type /Outlines /First ${firstBookmark} 0 R /Last ${outlines - 1} 0 R /Count ${bookmarks.length} >>`);
  if (figures.length) {
    const numberOf = (figure: (typeof figures)[number]) => tree + 2 + figures.indexOf(figure);
    const all = figures.map((figure) => `${numberOf(figure)} 0 R`).join(' ');
    const ofPages = pdf.pages.map((_, index) => {
      const own = figures.filter((figure) => figure.index === index).map((figure) => `${numberOf(figure)} 0 R`);
      return `${index} [${own.join(' ')}]`;
    });
    add(`<< /Type /StructTreeRoot /K ${tree + 1} 0 R /ParentTree << /Nums [${ofPages.join(' ')}] >> >>`);
    add(`<< /Type /StructElem /S /Document /P ${tree} 0 R /K [${all}] >>`);
    for (const { alt, box, index } of figures)
      add(
        `<< /Type /StructElem /S /Figure /P ${tree + 1} 0 R /Pg ${firstPage + index * 2} 0 R /K 0 /Alt ${textString(alt)} ${box ? `/A [<< /O /Table >> << /O /Layout /BBox [${box.join(' ')}] >>]` : ''} >>`,
      );
  }
  if (key) add(key.dictionary);
  return assemble(objects, key ? `/Encrypt ${objects.length} 0 R /ID [<${FILE_ID}> <${FILE_ID}>]` : '');
}

/** A PDF of objects made by hand, the first of which is the catalog. */
export function pdfOfObjects(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  return assemble(
    objects.map((body) => Buffer.from(body)),
    trailer,
  );
}

/** A stream with the entries of its dictionary besides `/Length`. */
export function pdfStream(data: string | Buffer, entries = ''): Buffer {
  const bytes = Buffer.from(data);
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

const textString = (text: string) => `<${Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex')}>`;

function assemble(objects: readonly Buffer[], trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [index, body] of objects.entries()) {
    const object = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    offsets.push(at);
    at += object.length;
    parts.push(object);
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const FILE_ID = '00112233445566778899aabbccddeeff';
const PAD = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** The standard security handler, revision 2 (ISO 32000 7.6.3): 40-bit RC4, enough to ask for a password. */
function encryption(userPassword: string): { dictionary: string; encrypt: (object: number, data: Buffer) => Buffer } {
  const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
  const pad = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), PAD]).subarray(0, 32);
  const owner = rc4(md5(pad('owner')).subarray(0, 5), pad(userPassword));
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(-44);
  const key = md5(pad(userPassword), owner, permissions, Buffer.from(FILE_ID, 'hex')).subarray(0, 5);
  return {
    dictionary: `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${rc4(key, PAD).toString('hex')}> /P -44 >>`,
    encrypt: (object, data) => {
      const salt = Buffer.from([object & 0xff, object >> 8, 0, 0, 0]);
      return rc4(md5(key, salt).subarray(0, 10), data);
    },
  };
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index] ?? 0;
  const swap = (i: number, j: number) => {
    const kept = at(i);
    state[i] = at(j);
    state[j] = kept;
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let i = 0;
  let j = 0;
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + at(i)) & 255;
      swap(i, j);
      return byte ^ at((at(i) + at(j)) & 255);
    }),
  );
}

/** Small decks for tests, good and hostile, made by hand so that every byte can be wrong on purpose. */
import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

export type SampleEntry = {
  name: string;
  data: string | Uint8Array;
  /** What the directory claims instead of the truth. */
  claimedBytes?: number;
  flags?: number;
  /** Where the directory says the entry lies. */
  offset?: number;
  /** What its own header calls it, in as many bytes. */
  localName?: string;
  /** As it is: `stored` packs nothing, a number is the method claimed. */
  method?: 'stored' | number;
};

/** A zip archive, entry by entry as told. `tail` follows the end record; `cut` bytes are taken off its end. */
export function zipOf(
  entries: readonly SampleEntry[],
  end: { tail?: string; cut?: number; comment?: string } = {},
): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name, 'latin1');
    const data = Buffer.from(entry.data);
    const packed = entry.method === 'stored' ? data : deflateRawSync(data);
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(crc32(data), 0);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(entry.claimedBytes ?? data.length, 8);
    sizes.writeUInt16LE(name.length, 12);
    const flags = entry.flags ?? 0;
    const method = entry.method === 'stored' ? 0 : (entry.method ?? 8);
    const start = Buffer.from([20, 0, flags, 0, method, 0, 0, 0, 0, 0]);
    const localName = Buffer.from(entry.localName ?? entry.name, 'latin1');
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), start, sizes, localName, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(entry.offset ?? offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), start, sizes, rest, name);
    offset += 30 + name.length + packed.length;
  }
  const listing = Buffer.concat(directory);
  const comment = Buffer.from(end.comment ?? '', 'latin1');
  const last = Buffer.alloc(22);
  last.write('PK\x05\x06', 0, 'latin1');
  last.writeUInt16LE(entries.length & 0xffff, 8);
  last.writeUInt16LE(entries.length & 0xffff, 10);
  last.writeUInt32LE(listing.length, 12);
  last.writeUInt32LE(offset, 16);
  last.writeUInt16LE(comment.length, 20);
  const whole = Buffer.concat([...bodies, listing, last, comment, Buffer.from(end.tail ?? '')]);
  return end.cut ? whole.subarray(0, -end.cut) : whole;
}

export type SampleSlide = {
  title?: string;
  lines?: string[];
  notes?: string;
  hidden?: boolean;
  /** Font size of the lines in hundredths of a point. */
  size?: number;
  /** XML put after the shapes. */
  more?: string;
  /** An image linked from outside. */
  link?: string;
};

export type SampleDeck = {
  slides: SampleSlide[];
  size?: { cx: number; cy: number };
  mainType?: string;
  /** Parts to add or, by name, to replace. */
  extra?: SampleEntry[];
};

const NS =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PML = 'application/vnd.openxmlformats-officedocument.presentationml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const EMPTY_TREE = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>';

/** The parts of a PPTX. Slide parts are numbered backwards, so that reading them in the order of their names is wrong. */
export function deckEntries(deck: SampleDeck): SampleEntry[] {
  const count = deck.slides.length;
  const partNumber = (index: number) => count - index;
  const { cx, cy } = deck.size ?? { cx: 12_192_000, cy: 6_858_000 };
  const ids = deck.slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 10}"/>`).join('');
  const presentation = `${HEAD}<p:presentation ${NS}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>${ids}</p:sldIdLst><p:sldSz cx="${cx}" cy="${cy}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`;
  const entries: SampleEntry[] = [
    { name: '[Content_Types].xml', data: contentTypes(deck) },
    { name: '_rels/.rels', data: rels([['rId1', 'officeDocument', 'ppt/presentation.xml']]) },
    { name: 'ppt/presentation.xml', data: presentation },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      data: rels([
        ['rId1', 'slideMaster', 'slideMasters/slideMaster1.xml'],
        ...deck.slides.map((_, index): [string, string, string] => [
          `rId${index + 10}`,
          'slide',
          `slides/slide${partNumber(index)}.xml`,
        ]),
      ]),
    },
    {
      name: 'ppt/slideMasters/slideMaster1.xml',
      data: `${HEAD}<p:sldMaster ${NS}><p:cSld><p:spTree>${EMPTY_TREE}</p:spTree></p:cSld><p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
    },
    {
      name: 'ppt/slideMasters/_rels/slideMaster1.xml.rels',
      data: rels([['rId1', 'slideLayout', '../slideLayouts/slideLayout1.xml']]),
    },
    {
      name: 'ppt/slideLayouts/slideLayout1.xml',
      data: `${HEAD}<p:sldLayout ${NS}><p:cSld><p:spTree>${EMPTY_TREE}</p:spTree></p:cSld></p:sldLayout>`,
    },
    {
      name: 'ppt/slideLayouts/_rels/slideLayout1.xml.rels',
      data: rels([['rId1', 'slideMaster', '../slideMasters/slideMaster1.xml']]),
    },
    ...deck.slides.flatMap((slide, index) => slideEntries(slide, partNumber(index))),
  ];
  const extra = deck.extra ?? [];
  return [...entries.filter((entry) => !extra.some((other) => other.name === entry.name)), ...extra];
}

/** A PPTX as bytes. */
export function deckOf(deck: SampleDeck): Buffer {
  return zipOf(deckEntries(deck));
}

function contentTypes(deck: SampleDeck): string {
  const main = deck.mainType ?? `${PML}.presentation.main+xml`;
  const overrides = deck.slides.map((slide, index) => {
    const notes = slide.notes
      ? `<Override PartName="/ppt/notesSlides/notesSlide${deck.slides.length - index}.xml" ContentType="${PML}.notesSlide+xml"/>`
      : '';
    return `<Override PartName="/ppt/slides/slide${index + 1}.xml" ContentType="${PML}.slide+xml"/>${notes}`;
  });
  return `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="bin" ContentType="application/octet-stream"/><Default Extension="png" ContentType="image/png"/><Override PartName="/ppt/presentation.xml" ContentType="${main}"/><Override PartName="/ppt/slideMasters/slideMaster1.xml" ContentType="${PML}.slideMaster+xml"/><Override PartName="/ppt/slideLayouts/slideLayout1.xml" ContentType="${PML}.slideLayout+xml"/>${overrides.join('')}</Types>`;
}

function rels(list: [id: string, type: string, target: string, mode?: string][]): string {
  const items = list.map(
    ([id, type, target, mode]) =>
      `<Relationship Id="${id}" Type="${REL}/${type}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
  );
  return `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`;
}

function slideEntries(slide: SampleSlide, number: number): SampleEntry[] {
  const title = slide.title === undefined ? '' : shape(2, '<p:ph type="title"/>', [slide.title], 0, slide.size);
  const lines = (slide.lines ?? []).map((line, index) => shape(3 + index, '', [line], index + 1, slide.size));
  const picture = slide.link
    ? `<p:pic><p:nvPicPr><p:cNvPr id="90" name="linked"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:link="rId8"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`
    : '';
  const xml = `${HEAD}<p:sld ${NS}${slide.hidden ? ' show="0"' : ''}><p:cSld><p:spTree>${EMPTY_TREE}${title}${lines.join('')}${picture}${slide.more ?? ''}</p:spTree></p:cSld></p:sld>`;
  const links: [string, string, string, string?][] = [['rId1', 'slideLayout', '../slideLayouts/slideLayout1.xml']];
  if (slide.notes) links.push(['rId2', 'notesSlide', `../notesSlides/notesSlide${number}.xml`]);
  if (slide.link) links.push(['rId8', 'image', slide.link, 'External']);
  const entries = [
    { name: `ppt/slides/slide${number}.xml`, data: xml },
    { name: `ppt/slides/_rels/slide${number}.xml.rels`, data: rels(links) },
  ];
  if (!slide.notes) return entries;
  const notes = `${HEAD}<p:notes ${NS}><p:cSld><p:spTree>${EMPTY_TREE}${shape(2, '<p:ph type="body" idx="1"/>', [slide.notes], 0)}${shape(3, '<p:ph type="sldNum"/>', ['7'], 1)}</p:spTree></p:cSld></p:notes>`;
  return [...entries, { name: `ppt/notesSlides/notesSlide${number}.xml`, data: notes }];
}

function shape(id: number, placeholder: string, lines: string[], row: number, size = 2_400): string {
  const paragraphs = lines
    .map((line) => `<a:p><a:r><a:rPr lang="zh-CN" sz="${size}"/><a:t>${line}</a:t></a:r></a:p>`)
    .join('');
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Text ${id}"/><p:cNvSpPr/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="914400" y="${914_400 * (row + 1)}"/><a:ext cx="9144000" cy="914400"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p/>${paragraphs}</p:txBody></p:sp>`;
}

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

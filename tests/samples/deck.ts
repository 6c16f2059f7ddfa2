/** Small PPTX for tests, good and hostile, made by hand so that every byte can be wrong on purpose. */
import { crc32, deflateRawSync } from 'node:zlib';

type SampleEntry = {
  name: string;
  data: string | Uint8Array;
  /** The size that the directory claims instead of the true one. */
  claimedBytes?: number;
  flags?: number;
  /** Where the directory says the entry lies. */
  offset?: number;
  /** The name in the entry's own header, of the same length in bytes. */
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

type SampleSlide = {
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

/** The parts of a PPTX. Slides are numbered backwards, so that reading them in the order of names is wrong. */
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

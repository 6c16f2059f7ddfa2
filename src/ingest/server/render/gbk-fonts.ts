/**
 * Fonts that programs of 2000 to 2008 named in raw GBK (宋体, 楷体_GB2312) and did not embed. The PDF calls them TrueType fonts in
 * WinAnsiEncoding, and their text is GBK, two bytes a character. PDFium reads that text and has no font to draw it with; poppler takes
 * each byte for a Latin letter. With the font declared as what it is, poppler draws it with a real one.
 */
const FACES: readonly (readonly [gbk: string, face: string])[] = [
  ['\xcb\xce\xcc\xe5', 'SimSun'], // 宋体
  ['\xd0\xc2\xcb\xce', 'SimSun'], // 新宋
  ['\xb7\xc2\xcb\xce', 'FangSong'], // 仿宋
  ['\xbf\xac\xcc\xe5', 'KaiTi'], // 楷体
  ['\xba\xda\xcc\xe5', 'SimHei'], // 黑体
];
/** Half-width letters of Adobe-GB1, which GBK-EUC-H maps ASCII to. */
const HALF_WIDTHS = '/DW 1000 /W [814 907 500]';
const MAX_FONTS = 200;
/** How far before and behind its name the dictionary of a font reaches. */
const REACH = 4_000;
/** The search runs in the site's own thread: what a hostile PDF can make it look at is bounded. */
const MAX_NAMES = 100_000;
const MAX_GBK_NAMES = 2_000;
const MAX_OBJECTS = 500_000;

/**
 * Returns a PDF with an incremental update (ISO 32000-1, 7.5.6) that declares such fonts as GBK fonts; null when it has none, is
 * encrypted, or keeps its objects in streams, as programs of that time did not.
 */
export function withGbkFonts(bytes: Buffer): Buffer | null {
  const pdf = bytes.toString('latin1');
  const root = /\/Root\s+(\d+ \d+ R)/.exec(pdf.slice(Math.max(0, pdf.lastIndexOf('trailer'))))?.[1];
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.slice(-200))?.[1];
  if (!root || !previous || !pdf.includes('trailer') || pdf.includes('/Encrypt')) return null;
  const fonts = gbkFontsOf(pdf);
  if (fonts.size === 0) return null;
  let highest = 0;
  for (const [, size] of pdf.matchAll(/\/Size\s+(\d{1,7})/g)) highest = Math.max(highest, Number(size));
  const parts: string[] = ['\n'];
  let length = bytes.length + 1;
  const entries: string[] = [];
  for (const [object, face] of fonts) {
    const [number = '', generation = ''] = object.split(' ');
    entries.push(`${number} 1\n${String(length).padStart(10, '0')} ${generation.padStart(5, '0')} n \n`);
    const body = `${object} obj\n<< /Type /Font /Subtype /Type0 /BaseFont /${face} /Encoding /GBK-EUC-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${face} /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> ${HALF_WIDTHS} >>] >>\nendobj\n`;
    parts.push(body);
    length += body.length;
  }
  parts.push(
    `xref\n${entries.join('')}trailer\n<< /Size ${highest} /Root ${root} /Prev ${previous} >>\nstartxref\n${length}\n%%EOF\n`,
  );
  return Buffer.concat([bytes, Buffer.from(parts.join(''), 'latin1')]);
}

/** Returns the faces of the fonts named in GBK that are not embedded, by `number generation` of their objects. */
function gbkFontsOf(pdf: string): Map<string, string> {
  const fonts = new Map<string, { face: string; descriptor: string | undefined }>();
  let names = 0;
  let gbkNames = 0;
  for (let at = pdf.indexOf('/BaseFont'); at >= 0; at = pdf.indexOf('/BaseFont', at + 1)) {
    if (++names > MAX_NAMES || gbkNames >= MAX_GBK_NAMES) break;
    const raw = /^\/BaseFont\s*\/([^\s/<>[\]()]{1,120})/.exec(pdf.slice(at, at + 200))?.[1] ?? '';
    const name = raw.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    const face = FACES.find(([gbk]) => name.startsWith(gbk))?.[1];
    if (face === undefined) continue;
    gbkNames++;
    const before = pdf.slice(Math.max(0, at - REACH), at);
    const head = [...before.matchAll(/(\d{1,7} \d{1,5}) obj\b/g)].at(-1);
    if (head?.[1] === undefined) continue;
    const dictionary = before.slice(head.index) + withinObject(pdf, at);
    if (!/\/Subtype\s*\/TrueType/.test(dictionary)) continue;
    const descriptor = /\/FontDescriptor\s+(\d{1,7} \d{1,5}) R/.exec(dictionary)?.[1];
    fonts.set(head[1], { face: /Bold/i.test(name) ? `${face},Bold` : face, descriptor });
  }
  const wanted = new Set([...fonts.values()].flatMap(({ descriptor }) => descriptor ?? []));
  const embedded = wanted.size > 0 ? embeddedOf(pdf, wanted) : wanted;
  const faces = [...fonts].filter(({ 1: font }) => font.descriptor === undefined || !embedded.has(font.descriptor));
  return new Map(faces.slice(0, MAX_FONTS).map(([object, { face }]) => [object, face]));
}

/** Returns those of the font descriptors that have a font file; all of them when the PDF has too many objects to look at. */
function embeddedOf(pdf: string, descriptors: ReadonlySet<string>): ReadonlySet<string> {
  const embedded = new Set<string>();
  const seen = new Set<string>();
  let objects = 0;
  for (const { 1: object = '', index } of pdf.matchAll(/(?<!\d)(\d{1,7} \d{1,5}) obj\b/g)) {
    if (++objects > MAX_OBJECTS) return descriptors;
    if (!descriptors.has(object) || seen.has(object)) continue;
    seen.add(object);
    if (withinObject(pdf, index).includes('/FontFile')) embedded.add(object);
  }
  return embedded;
}

/** Returns the text from a place to the end of its object, at most as far as a dictionary reaches. */
function withinObject(pdf: string, at: number): string {
  const near = pdf.slice(at, at + REACH);
  const end = near.indexOf('endobj');
  return end < 0 ? near : near.slice(0, end);
}

import type { FileHandle } from 'node:fs/promises';
import { posix } from 'node:path';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import type { FileFlag } from '../../rules.ts';
import { checkXml } from '../formats/check-xml.ts';
import { openZip, RELS_NAME, XML_NAME } from '../formats/open-zip.ts';
import type { Zip } from '../formats/open-zip.ts';
import { readPresentation, relationships, type Relationship } from '../formats/pptx-parts.ts';
import { decodeXml, xmlAttribute, xmlEvents } from '../formats/xml-events.ts';

const PRESENTATION =
  /^application\/vnd\.(?:openxmlformats-officedocument\.presentationml\.(?:presentation|slideshow|template)|ms-powerpoint\.(?:presentation|slideshow|template)\.macroEnabled(?:\.12)?)\.main\+xml$/i;
const MACROS = /macroEnabled|vnd\.ms-office\.vba/i;
const XML_TYPE = /[/+]xml$/i;
/** Parts that must be well formed; PowerPoint tolerates faults in other parts. */
const CORE_PART = /^\[content_types\]\.xml$|\.rels$|^ppt\/presentation\d*\.xml$|^ppt\/slides\/[^/]+\.xml$/i;
const LINKED_MEDIA = /relationships\/(image|oleObject|video|audio|media|attachedTemplate|frame|slide|hdphoto|svg)$/i;
const MAIN_PART = 'ppt/presentation.xml';
const MAX_PRESENTATION_BYTES = 8 * 1024 * 1024;

/**
 * Checks a PPTX before any other program reads it: the type, the inflated size of every part, the XML, and number and
 * size of the slides. Throws RefusedError.
 */
export async function sniffPptx(
  file: FileHandle,
  allowMacros: boolean,
): Promise<{ slideCount: number; flags: FileFlag[] }> {
  const zip = await openZip(file);
  try {
    const flags: FileFlag[] = zip.repaired ? ['zip-repaired'] : [];
    const types = await contentTypes(zip);
    const main = await mainPart(zip, types);
    const related = await relationships(zip, main);
    if (hasMacros(zip, types, related)) {
      if (!allowMacros) throw new RefusedError('macros');
      flags.push('macros');
    }
    if (zip.names.some((name) => types.of(name) === ACTIVE_X)) flags.push('scripts');
    checkSlideTypes(zip, types, related);
    if (await checkParts(zip, types)) flags.push('external-media');
    return { slideCount: await countSlides(zip, main), flags };
  } finally {
    zip.close();
  }
}

const ACTIVE_X = 'application/vnd.ms-office.activex+xml';

/** The content types of the package. `of` returns the type of a part in lower case, '' when it has none. */
type ContentTypes = { text: string; of(name: string): string };

/**
 * Throws RefusedError: not-presentation, and corrupt for a part below `ppt/` without a type (ECMA-376 part 2, 10.1.2).
 */
async function contentTypes(zip: Zip): Promise<ContentTypes> {
  const bytes = await zip.read('[Content_Types].xml');
  if (bytes === null) throw new RefusedError('not-presentation', 'a zip without content types');
  const text = decodeXml(bytes);
  const byExtension = new Map<string, string>();
  const byName = new Map<string, string>();
  for (const event of xmlEvents(text)) {
    if (event.type !== 'open') continue;
    const type = xmlAttribute(event.attributes, 'ContentType')?.trim().toLowerCase() ?? '';
    const extension = event.name === 'Default' ? xmlAttribute(event.attributes, 'Extension') : null;
    const part = event.name === 'Override' ? xmlAttribute(event.attributes, 'PartName') : null;
    if (extension !== null) byExtension.set(`.${extension.toLowerCase()}`, type);
    if (part !== null) byName.set(part.replace(/^\//, '').toLowerCase(), type);
  }
  const of = (name: string) => {
    const key = name.toLowerCase();
    return byName.get(key) ?? byExtension.get(posix.extname(key)) ?? '';
  };
  return { text, of };
}

/** Returns the main part. Throws RefusedError not-presentation or unknown-type when it is not a presentation. */
async function mainPart(zip: Zip, types: ContentTypes): Promise<string> {
  const main = (await relationships(zip, '')).find((each) => each.type === 'officeDocument')?.target ?? MAIN_PART;
  if (!PRESENTATION.test(types.of(main))) {
    // XPS is the only other package that users mistake for a presentation.
    if (types.text.includes('vnd.ms-package.xps-')) throw new RefusedError('unknown-type', 'an XPS document');
    throw new RefusedError('not-presentation', 'the main part is no presentation');
  }
  const untyped = zip.names.find((name) => /^ppt\/.*[^/]$/i.test(name) && types.of(name) === '');
  if (untyped !== undefined) throw new RefusedError('corrupt', `${untyped} has no content type`);
  return main;
}

/**
 * Whether the package has a VBA project, by name, type or relationship: one of them is enough for a program to find it.
 */
function hasMacros(zip: Zip, types: ContentTypes, related: readonly Relationship[]): boolean {
  if (zip.names.some((name) => /vbaProject\.bin$/i.test(name) || MACROS.test(types.of(name)))) return true;
  return related.some((one) => /^vbaProject/i.test(one.type));
}

/**
 * Checks that slides have the type of slides. Programs follow the relationship without checking the type, so a slide
 * typed as a picture would not be checked as XML.
 */
function checkSlideTypes(zip: Zip, types: ContentTypes, related: readonly Relationship[]): void {
  for (const { type, target } of related) {
    if (/^(slide|\w+Master)$/.test(type) && zip.has(target) && !XML_TYPE.test(types.of(target).replace('svg+xml', '')))
      throw new RefusedError('corrupt', `${target} is called ${types.of(target)}`);
  }
}

/**
 * Inflates every compressed part once without keeping it, and checks XML under any name, compressed or not. Returns
 * whether a relationship links external media.
 */
async function checkParts(zip: Zip, types: ContentTypes): Promise<boolean> {
  let external = false;
  let elements = 0;
  let bytes = 0;
  for (const name of zip.names) {
    await zip.checkHeader(name);
    if (RELS_NAME.test(name)) external = (await linksMedia(zip, name)) || external;
    const isXml = XML_NAME.test(name) || (XML_TYPE.test(types.of(name)) && !/\.svg$/i.test(name));
    if (isXml) bytes += zip.entry(name)?.uncompressedSize ?? 0;
    if (bytes > limits.zipXmlTotalBytes) throw new RefusedError('zip-bomb', `${bytes} bytes of XML`);
    elements += await checkPart(zip, name, isXml);
    if (elements > limits.xmlElementsTotal) throw new RefusedError('hostile-xml', `${elements} elements`);
  }
  return external;
}

async function linksMedia(zip: Zip, name: string): Promise<boolean> {
  const rels = decodeXml((await zip.read(name)) ?? new Uint8Array());
  for (const event of xmlEvents(rels)) {
    if (event.type !== 'open') continue;
    const mode = xmlAttribute(event.attributes, 'TargetMode')?.trim() ?? '';
    const type = xmlAttribute(event.attributes, 'Type')?.trim() ?? '';
    if (/^external$/i.test(mode) && LINKED_MEDIA.test(type)) return true;
  }
  return false;
}

/** Checks a part and returns the number of its elements. */
async function checkPart(zip: Zip, name: string, isXml: boolean): Promise<number> {
  const isCore = CORE_PART.test(name);
  const isStored = zip.entry(name)?.compressionMethod === 0;
  let check = isXml ? checkXml() : null;
  let bytes = 0;
  for await (const chunk of zip.chunks(name)) {
    // Detects XML under another name. SVG pictures are left out: no parser that draws them reads their DTD.
    if (bytes === 0 && check === null && looksLikeXml(chunk) && !/\.svg$/i.test(name)) check = checkXml();
    bytes += chunk.length;
    // A part that is not compressed cannot claim a false size: the rest of a picture or a film is not read.
    if (check === null && isStored) break;
    if (check === null) continue;
    if (bytes > limits.zipXmlBytes) throw new RefusedError('zip-bomb', name);
    const fault = check.push(chunk);
    if (fault === 'unbalanced') {
      if (isCore) throw new RefusedError('corrupt', `${name} is not well formed`);
      check = null;
    } else if (fault !== null) throw new RefusedError('hostile-xml', `${fault} in ${name}`);
  }
  const fault = check?.end() ?? null;
  if (fault === 'unbalanced') {
    if (isCore) throw new RefusedError('corrupt', `${name} is not well formed`);
  } else if (fault !== null) throw new RefusedError('hostile-xml', `${fault} in ${name}`);
  return check?.elements() ?? 0;
}

/** Whether the first bytes look like XML, also after white space. */
function looksLikeXml(chunk: Uint8Array): boolean {
  const head = Buffer.from(chunk.subarray(0, 64)).toString('latin1');
  return /^(\xef\xbb\xbf)?\s*(<[?!\w]|$)|^(\xff\xfe|\xfe\xff)/.test(head);
}

async function countSlides(zip: Zip, main: string): Promise<number> {
  const bytes = await zip.read(main, MAX_PRESENTATION_BYTES);
  if (bytes === null) throw new RefusedError('corrupt', `no ${main}`);
  const { slideIds, width, height } = readPresentation(decodeXml(bytes));
  if (slideIds.length > limits.slides) throw new RefusedError('too-many-pages', `${slideIds.length} slides`);
  if (slideIds.length === 0) throw new RefusedError('no-pages');
  const sane = (side: number) => side >= limits.slideSideMinEmu && side <= limits.slideSideMaxEmu;
  if (!sane(width) || !sane(height)) throw new RefusedError('page-size', `${width} × ${height} EMU`);
  return slideIds.length;
}

import { posix } from 'node:path';
import { RefusedError } from '../refusals.ts';
import { ingestLimits as limits } from '../rules.ts';
import type { FileFlag } from '../rules.ts';
import { checkXml } from './check-xml.ts';
import { openZip } from './open-zip.ts';
import type { Zip } from './open-zip.ts';
import { readPresentation, relationships } from './pptx-parts.ts';
import { decodeXml, xmlAttribute, xmlEvents } from './xml-events.ts';

const PRESENTATION =
  /ContentType\s*=\s*["']application\/vnd\.(?:openxmlformats-officedocument\.presentationml\.(?:presentation|slideshow|template)|ms-powerpoint\.(?:presentation|slideshow|template)\.macroEnabled(?:\.12)?)\.main\+xml["']/i;
const XML_NAME = /\.(xml|rels|vml)$/i;
/** Parts that must be well formed; in the others PowerPoint forgives. */
const CORE_PART = /^\[content_types\]\.xml$|\.rels$|^ppt\/presentation\d*\.xml$|^ppt\/slides\/[^/]+\.xml$/i;
const LINKED_MEDIA = /relationships\/(image|oleObject|video|audio|media|attachedTemplate|frame|slide|hdphoto|svg)["']/i;
const MAX_PRESENTATION_BYTES = 8 * 1024 * 1024;

/**
 * Everything a PPTX is asked before any other program sees it: is it a presentation, does every part inflate to what it claims,
 * is its XML harmless, how many slides of what size. Throws RefusedError.
 */
export async function sniffPptx(
  path: string,
  allowMacros: boolean,
): Promise<{ slideCount: number; flags: FileFlag[] }> {
  const zip = await openZip(path);
  try {
    const flags: FileFlag[] = zip.repaired ? ['zip-repaired'] : [];
    if (await isMacroDeck(zip)) {
      if (!allowMacros) throw new RefusedError('macros');
      flags.push('macros');
    }
    if (await checkParts(zip)) flags.push('external-media');
    return { slideCount: await countSlides(zip), flags };
  } finally {
    zip.close();
  }
}

/** Throws not-presentation or unknown-type for anything else in a zip. */
async function isMacroDeck(zip: Zip): Promise<boolean> {
  const types = await zip.read('[Content_Types].xml', MAX_PRESENTATION_BYTES);
  if (types === null) throw new RefusedError('not-presentation', 'a zip without content types');
  const text = decodeXml(types);
  const main = PRESENTATION.exec(text);
  if (!main) {
    // XPS is the one other package of this kind that people take for a presentation.
    if (text.includes('vnd.ms-package.xps-')) throw new RefusedError('unknown-type', 'an XPS document');
    throw new RefusedError('not-presentation', 'content types name no presentation');
  }
  const untyped = untypedPart(zip.names, text);
  if (untyped !== undefined) throw new RefusedError('corrupt', `${untyped} has no content type`);
  return /macroEnabled/i.test(main[0]) || zip.names.some((name) => /vbaProject\.bin$/i.test(name));
}

/** A part below `ppt/` that the package does not declare, as OPC (ECMA-376 part 2, 10.1.2) demands: smuggled in, or torn out. */
function untypedPart(names: readonly string[], contentTypes: string): string | undefined {
  const declared = new Set<string>();
  for (const event of xmlEvents(contentTypes)) {
    if (event.type !== 'open') continue;
    const extension = event.name === 'Default' ? xmlAttribute(event.attributes, 'Extension') : null;
    const part = event.name === 'Override' ? xmlAttribute(event.attributes, 'PartName') : null;
    if (extension !== null) declared.add(`.${extension.toLowerCase()}`);
    if (part !== null) declared.add(part.replace(/^\//, '').toLowerCase());
  }
  return names.find((name) => {
    const key = name.toLowerCase();
    return key.startsWith('ppt/') && !key.endsWith('/') && !declared.has(key) && !declared.has(posix.extname(key));
  });
}

/** Inflates every compressed part once, keeping nothing. Answers whether a relationship links media from outside. */
async function checkParts(zip: Zip): Promise<boolean> {
  let external = false;
  for (const name of zip.names) {
    if (/\.rels$/i.test(name)) external = (await linksMedia(zip, name)) || external;
    // A stored part cannot lie about its size.
    if (XML_NAME.test(name) || zip.entry(name)?.compressionMethod !== 0) await checkPart(zip, name);
  }
  return external;
}

async function linksMedia(zip: Zip, name: string): Promise<boolean> {
  const rels = decodeXml((await zip.read(name, MAX_PRESENTATION_BYTES)) ?? new Uint8Array());
  return rels.split('<').some((tag) => /TargetMode\s*=\s*["']External/i.test(tag) && LINKED_MEDIA.test(tag));
}

async function checkPart(zip: Zip, name: string): Promise<void> {
  let check = XML_NAME.test(name) ? checkXml() : null;
  let bytes = 0;
  for await (const chunk of zip.chunks(name)) {
    // XML under another name; an SVG picture is drawn by no parser that heeds its DTD.
    if (bytes === 0 && check === null && looksLikeXml(chunk) && !/\.svg$/i.test(name)) check = checkXml();
    bytes += chunk.length;
    if (check === null) continue;
    if (bytes > limits.zipXmlBytes) throw new RefusedError('zip-bomb', name);
    const fault = check.push(chunk);
    if (fault === 'unbalanced') {
      if (CORE_PART.test(name)) throw new RefusedError('corrupt', `${name} is not well formed`);
      check = null;
    } else if (fault !== null) throw new RefusedError('hostile-xml', `${fault} in ${name}`);
  }
  if (CORE_PART.test(name) && check?.end() === 'unbalanced')
    throw new RefusedError('corrupt', `${name} is not well formed`);
}

function looksLikeXml(chunk: Uint8Array): boolean {
  return /^(\xef\xbb\xbf)?\s*<\?xml|^(\xff\xfe|\xfe\xff)/.test(Buffer.from(chunk.subarray(0, 64)).toString('latin1'));
}

async function countSlides(zip: Zip): Promise<number> {
  // Where the package says it is: programs on the web also write ppt/presentation2.xml.
  const main =
    (await relationships(zip, '')).find((one) => one.type === 'officeDocument')?.target ?? 'ppt/presentation.xml';
  const bytes = await zip.read(main, MAX_PRESENTATION_BYTES);
  if (bytes === null) throw new RefusedError('corrupt', `no ${main}`);
  const { slideIds, width, height } = readPresentation(decodeXml(bytes));
  if (slideIds.length > limits.slides) throw new RefusedError('too-many-pages', `${slideIds.length} slides`);
  if (slideIds.length === 0) throw new RefusedError('no-pages');
  const sane = (side: number) => side >= limits.slideSideMinEmu && side <= limits.slideSideMaxEmu;
  if (!sane(width) || !sane(height)) throw new RefusedError('page-size', `${width} × ${height} EMU`);
  return slideIds.length;
}

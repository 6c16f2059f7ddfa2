import { beginningOf, cleanText, foldLines, isTitleLine } from '../../page-text.ts';
import { isPlaceholder } from '../../placeholders.ts';
import { hasLetterSpacedLatin } from '../../letter-spacing.ts';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { openZip } from './open-zip.ts';
import type { Zip } from './open-zip.ts';
import { part, readPresentation, relationships, relationshipsById } from './pptx-parts.ts';
import { xmlAttribute, xmlEvents } from './xml-events.ts';

/** A visible slide. `title` is "" when the slide has none. */
type SlideFacts = { title: string; text: string; notes: string };

/**
 * The content of a PPTX, read without LibreOffice. Sizes are in EMU. `thumbnail` is the image that the author's program
 * put into the file.
 */
export type PptxFacts = {
  width: number;
  height: number;
  slides: SlideFacts[];
  hiddenSlides: number;
  title: string;
  thumbnail: Buffer | null;
  /** Names of the fonts that the visible text uses. */
  fonts: string[];
  /** A visible slide has a field that programs fill with the day on which they show it. */
  hasDateFields: boolean;
};

/**
 * Returns the slides of a deck when there is one for each of the `pageCount` pages of its PDF; null otherwise, because slides and pages
 * cannot be matched by position then.
 */
export function slidesByPage(facts: PptxFacts | null, pageCount: number): SlideFacts[] | null {
  return facts?.slides.length === pageCount ? facts.slides : null;
}

/** Returns the titles of the slides that have one, with their page numbers. */
export function outlineOfSlides(slides: readonly SlideFacts[]): { page: number; title: string }[] {
  return slides.flatMap(({ title }, index) => (title === '' ? [] : [{ page: index + 1, title }]));
}

/**
 * Returns titles, text and notes of the visible slides, in the order of the presentation, without LibreOffice. The file
 * must have passed `sniffFile`. Throws RefusedError: corrupt, no-pages, and those of `openZip`.
 */
export async function readPptxFacts(path: string): Promise<PptxFacts> {
  const zip = await openZip(path);
  try {
    const main =
      (await relationships(zip, '')).find((each) => each.type === 'officeDocument')?.target ?? 'ppt/presentation.xml';
    const presentation = await part(zip, main);
    if (presentation === null) throw new RefusedError('corrupt', 'no presentation part');
    const { slideIds, width, height } = readPresentation(presentation);
    const slideParts = new Map((await relationshipsById(zip, main)).map(([id, { target }]) => [id, target]));
    const slides: SlideFacts[] = [];
    let hiddenSlides = 0;
    const typefaces = new Set<string>();
    let hasDateFields = false;
    // A hostile deck may name one part of 30 MB for five hundred slides: each part is read once.
    const read = new Map<string, SlideFacts & { hidden: boolean; hasDate: boolean }>();
    for (const id of slideIds.slice(0, limits.slides)) {
      const name = slideParts.get(id);
      const slide = name === undefined ? null : (read.get(name) ?? (await readSlidePart(zip, name, typefaces)));
      if (name === undefined || slide === null) {
        throw new RefusedError('corrupt', `slide ${slides.length + hiddenSlides + 1} is missing`);
      }
      read.set(name, slide);
      if (!slide.hidden && slide.hasDate) hasDateFields = true;
      if (slide.hidden) hiddenSlides++;
      else slides.push({ title: slide.title, text: slide.text, notes: slide.notes });
    }
    if (slides.length === 0) throw new RefusedError('no-pages', hiddenSlides ? 'every slide is hidden' : '');
    return {
      width,
      height,
      slides,
      hiddenSlides,
      title: await coreTitle(zip),
      thumbnail: await thumbnailOf(zip),
      fonts: resolveFonts(typefaces, await themeFonts(zip, main)),
      hasDateFields,
    };
  } finally {
    zip.close();
  }
}

async function readSlidePart(
  zip: Zip,
  name: string,
  typefaces: Set<string>,
): Promise<(SlideFacts & { hidden: boolean; hasDate: boolean }) | null> {
  const xml = await part(zip, name);
  if (xml === null) return null;
  const slide = readSlide(xml);
  if (!slide.hidden) for (const typeface of typefacesOf(xml)) typefaces.add(typeface);
  return { ...slide, hasDate: DATE_FIELD.test(xml), notes: slide.hidden ? '' : await notesOf(zip, name) };
}

/** A field with the day of today (ECMA-376 part 1, 21.1.2.2.4). */
const DATE_FIELD = /<a:fld\b[^<>]*\btype="datetime/;

type Shape = { placeholder: string; size: number; lines: string[] };

/**
 * Returns the lines of each shape of a slide, in drawing order. An `mc:Fallback` repeats its `mc:Choice` and is
 * skipped.
 */
function readShapes(xml: string): { hidden: boolean; shapes: Shape[] } {
  const shapes: Shape[] = [];
  let shape: Shape = { placeholder: '', size: 0, lines: [] };
  let hidden = false;
  let fallback = 0;
  let line: string | null = null;
  let inText = false;
  for (const event of xmlEvents(xml)) {
    if (event.type === 'text') {
      if (inText && line !== null) line += event.text;
      continue;
    }
    if (event.name === 'Fallback' && !(event.type === 'open' && event.empty))
      fallback += event.type === 'open' ? 1 : -1;
    if (fallback > 0) continue;
    if (event.type === 'close') {
      if (event.name === 't') inText = false;
      if (event.name === 'p' && line !== null) {
        shape.lines.push(line);
        line = null;
      }
      continue;
    }
    if (event.name === 'sld' && xmlAttribute(event.attributes, 'show') !== null) {
      hidden = ['0', 'false'].includes(xmlAttribute(event.attributes, 'show') ?? '');
    }
    if (event.name === 'sp' || event.name === 'graphicFrame' || event.name === 'tc') {
      shape = { placeholder: '', size: 0, lines: [] };
      shapes.push(shape);
    }
    if (event.name === 'ph') shape.placeholder = xmlAttribute(event.attributes, 'type') ?? 'obj';
    if (event.name === 'rPr' || event.name === 'defRPr') {
      shape.size = Math.max(shape.size, Number(xmlAttribute(event.attributes, 'sz') ?? 0));
    }
    if (event.name === 'p' && !event.empty) line = '';
    if (event.name === 'br' && line !== null) line += '\n';
    if (event.name === 't' && !event.empty) inText = true;
  }
  return { hidden, shapes };
}

function readSlide(xml: string): { hidden: boolean; title: string; text: string } {
  const { hidden, shapes } = readShapes(xml);
  const text = cleanText(
    shapes
      .filter((shape) => !['sldNum', 'dt', 'ftr'].includes(shape.placeholder))
      .flatMap((shape) => shape.lines)
      .join('\n'),
  );
  return { hidden, title: titleOf(shapes), text };
}

/** Returns the text of the title placeholder, or else the largest text that may be a title. */
function titleOf(shapes: Shape[]): string {
  const oneLine = (shape: Shape) => titleText(shape.lines.join('\n'));
  const titled = shapes.filter((shape) => shape.placeholder === 'title' || shape.placeholder === 'ctrTitle');
  const named = titled.map(oneLine).find((title) => title !== '' && !isPlaceholder(title));
  if (named) return named;
  // Latin letters that are spaced out are decoration, not a title.
  const isCandidate = (shape: Shape) => isTitleLine(oneLine(shape)) && !hasLetterSpacedLatin(shape.lines.join('\n'));
  const candidates = shapes.filter(isCandidate);
  const largest = candidates.reduce((size, shape) => Math.max(size, shape.size), 0);
  const chosen = candidates.find((shape) => shape.size === largest);
  return chosen ? oneLine(chosen) : '';
}

const titleText = (text: string) => beginningOf(foldLines(cleanText(text)), limits.titleChars);

async function notesOf(zip: Zip, slide: string): Promise<string> {
  const name = (await relationships(zip, slide)).find((each) => each.type === 'notesSlide')?.target;
  const xml = name === undefined ? null : await part(zip, name);
  if (xml === null) return '';
  const bodies = readShapes(xml).shapes.filter((shape) => shape.placeholder === 'body');
  return cleanText(bodies.flatMap((shape) => shape.lines).join('\n'));
}

async function coreTitle(zip: Zip): Promise<string> {
  const xml = await part(zip, 'docProps/core.xml');
  if (xml === null) return '';
  let inTitle = false;
  for (const event of xmlEvents(xml)) {
    if (event.type === 'open') inTitle = event.name === 'title' && !event.empty;
    else if (event.type === 'text' && inTitle) return titleText(event.text);
    else inTitle = false;
  }
  return '';
}

async function thumbnailOf(zip: Zip): Promise<Buffer | null> {
  const name = (await relationships(zip, '')).find((each) => each.type === 'thumbnail')?.target;
  if (!name || !/\.(jpe?g|png)$/i.test(name)) return null;
  return zip.read(name, 8 * 1024 * 1024).catch(() => null);
}

const FONT_ELEMENTS = new Set(['latin', 'ea', 'cs', 'sym']);
const MAX_FONTS = 100;

function typefacesOf(xml: string): string[] {
  const found = new Set<string>();
  for (const event of xmlEvents(xml)) {
    if (event.type !== 'open' || !FONT_ELEMENTS.has(event.name)) continue;
    const typeface = beginningOf(cleanText(xmlAttribute(event.attributes, 'typeface') ?? ''), 80);
    if (typeface !== '' && found.size < MAX_FONTS) found.add(typeface);
  }
  return [...found];
}

/** Returns the fonts behind `+mj-lt`, `+mn-ea` …: heading (mj) and body (mn), Latin, East Asian and complex script. */
async function themeFonts(zip: Zip, main: string): Promise<Map<string, string>> {
  const name = (await relationships(zip, main)).find((each) => each.type === 'theme')?.target;
  const xml = name === undefined ? null : await part(zip, name);
  const fonts = new Map<string, string>();
  let scheme = '';
  for (const event of xml === null ? [] : xmlEvents(xml)) {
    if (event.type === 'text') continue;
    if (event.name === 'majorFont') scheme = event.type === 'open' ? '+mj' : '';
    if (event.name === 'minorFont') scheme = event.type === 'open' ? '+mn' : '';
    if (event.type !== 'open' || scheme === '' || !FONT_ELEMENTS.has(event.name)) continue;
    const typeface = beginningOf(cleanText(xmlAttribute(event.attributes, 'typeface') ?? ''), 80);
    if (typeface !== '') fonts.set(`${scheme}-${event.name === 'latin' ? 'lt' : event.name}`, typeface);
  }
  return fonts;
}

/** Replaces theme names by fonts. Text without a font uses the body font of the theme. */
function resolveFonts(typefaces: ReadonlySet<string>, theme: ReadonlyMap<string, string>): string[] {
  const named = [...typefaces, '+mn-lt', '+mn-ea'].map((name) => (name.startsWith('+') ? theme.get(name) : name));
  return [...new Set(named.filter((name) => name !== undefined))].sort().slice(0, MAX_FONTS);
}

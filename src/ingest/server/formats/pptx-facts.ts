import { beginningOf, cleanText, foldLines, isTitleLine } from '../../page-text.ts';
import { isPlaceholder } from '../../placeholders.ts';
import { hasLetterSpacedLatin } from '../../letter-spacing.ts';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { openZip } from './open-zip.ts';
import type { Zip } from './open-zip.ts';
import { part, readPresentation, relationships, relationshipsById } from './pptx-parts.ts';
import { diagramLines } from './diagrams.ts';
import type { Size } from './shape-frames.ts';
import { readShapes, type Shape } from './read-shapes.ts';
import { xmlAttribute, xmlEvents } from './xml-events.ts';

/**
 * A visible slide. `title` is "" when the slide has none. Title and text are what the page of the slide shows: shapes that are switched off
 * or lie beside the slide are left out.
 */
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
      const slide =
        name === undefined ? null : (read.get(name) ?? (await readSlidePart(zip, name, { width, height }, typefaces)));
      if (name === undefined || slide === null) {
        throw new RefusedError('corrupt', `slide ${slides.length + hiddenSlides + 1} is missing`);
      }
      read.set(name, slide);
      if (slide.hasDate) hasDateFields = true;
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
  size: Size,
  typefaces: Set<string>,
): Promise<(SlideFacts & { hidden: boolean; hasDate: boolean }) | null> {
  const xml = await part(zip, name);
  if (xml === null) return null;
  const { hidden, shapes, diagrams } = readShapes(xml, size);
  if (hidden) return { title: '', text: '', notes: '', hidden, hasDate: false };
  for (const typeface of typefacesOf(xml)) typefaces.add(typeface);
  const lines = [...linesOf(shapes), ...(await diagramLines(zip, name, diagrams))];
  return {
    title: titleOf(shapes),
    text: cleanText(lines.join('\n')),
    notes: await notesOf(zip, name),
    hidden,
    hasDate: DATE_FIELD.test(xml),
  };
}

/** A field with the day of today (ECMA-376 part 1, 21.1.2.2.4). */
const DATE_FIELD = /<a:fld\b[^<>]*\btype="datetime/;

const linesOf = (shapes: Shape[]): string[] =>
  shapes.filter((shape) => !['sldNum', 'dt', 'ftr'].includes(shape.placeholder)).flatMap((shape) => shape.lines);

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
  const bodies = readShapes(xml, null).shapes.filter((shape) => shape.placeholder === 'body');
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

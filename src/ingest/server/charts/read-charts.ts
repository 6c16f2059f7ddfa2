import type { FoundChart } from '../../../charts/chart-data.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { openZip, type Zip } from '../formats/open-zip.ts';
import { part, readPresentation, relationships, relationshipsById, type Relationship } from '../formats/pptx-parts.ts';
import { decodeXml, xmlAttribute } from '../formats/xml-events.ts';
import { CHART_BYTES, OBJECT_BYTES, readChartObject } from './chart-object.ts';
import { readChartExPart } from './chartex-part.ts';
import { readChartPart, withoutNumbers, type ChartPart } from './chart-part.ts';
import { chartFrames, type SlideFrame } from './slide-frames.ts';
import { xmlTree } from '../formats/xml-tree.ts';

/** The charts of a deck. `pages` is the number of visible slides. */
export type DeckCharts = { pages: number; charts: (Omit<FoundChart, 'image'> & { isDrawn: boolean })[] };

const MAX_CHARTS = 1_000;
/** Limit for all charts of a deck: a few hundred bytes can claim a thousand points. */
const MAX_VALUES = 500_000;

/**
 * Returns every chart on a visible slide of a PPTX, in the order of pages and of drawing: native charts, objects of
 * Microsoft Graph and Excel, and large pictures that a program described as charts. Hidden slides have no page, so
 * their charts are left out, as are charts that cannot be read. Pictures and linked objects have no series. `isDrawn`
 * is false for chart types that LibreOffice replaces by a placeholder. The file must have passed `sniffFile`. Throws
 * RefusedError as `openZip` does.
 */
export async function readCharts(path: string): Promise<DeckCharts> {
  const zip = await openZip(path);
  try {
    const main =
      (await relationships(zip, '')).find((each) => each.type === 'officeDocument')?.target ?? 'ppt/presentation.xml';
    const { slideIds, width, height } = readPresentation((await part(zip, main)) ?? '');
    const slideParts = new Map((await relationshipsById(zip, main)).map(([id, { target }]) => [id, target]));
    const charts: DeckCharts['charts'] = [];
    const read = {
      part: memoize((name) => readPart(zip, name)),
      object: memoize((name) => readObject(zip, name)),
    };
    let pages = 0;
    let values = 0;
    for (const id of slideIds.slice(0, limits.slides)) {
      const name = slideParts.get(id);
      const slide = name === undefined ? null : xmlTree((await part(zip, name)) ?? '');
      if (name === undefined || !slide) continue;
      if (['0', 'false'].includes(xmlAttribute(slide.attributes, 'show') ?? '')) continue;
      pages++;
      if (charts.length >= MAX_CHARTS || values > MAX_VALUES) continue;
      const page = pages;
      const frames = chartFrames(slide, { width, height });
      if (frames.length === 0) continue;
      const targets = new Map(await relationshipsById(zip, name));
      for (const one of frames) {
        const found = await readFrame(one, targets, read);
        values += found ? valuesOf(found) : 0;
        if (values > MAX_VALUES) break;
        if (found) charts.push({ page, frame: one.frame, ...found });
      }
    }
    return { pages, charts };
  } finally {
    zip.close();
  }
}

const valuesOf = ({ data }: ChartPart) =>
  data.series.reduce((sum, { values }) => sum + values.length, data.categories.length);

type FoundPart = ChartPart & { isDrawn: boolean };
type Read = (name: string) => Promise<FoundPart | null>;

async function readFrame(
  one: SlideFrame,
  targets: Map<string, Relationship>,
  read: { part: Read; object: Read },
): Promise<FoundPart | null> {
  if (one.kind === 'picture') return { ...withoutNumbers(one.chart.type, one.chart.title), isDrawn: true };
  const target = targets.get(one.relationshipId);
  if (!target) return null;
  if (!target.external) return read[one.kind](target.target);
  // A linked object is in another file; the deck has only its picture.
  return one.kind === 'object' ? { ...withoutNumbers('other'), isDrawn: true } : null;
}

/** Reads each part once: a hostile deck may name one part from every slide. */
function memoize(read: Read): Read {
  const known = new Map<string, Promise<FoundPart | null>>();
  return (name) => {
    const found = known.get(name) ?? read(name);
    known.set(name, found);
    return found;
  };
}

async function readObject(zip: Zip, name: string): Promise<FoundPart | null> {
  const bytes = await zip.read(name, OBJECT_BYTES).catch(() => null);
  const chart = bytes && (await readChartObject(bytes));
  // LibreOffice draws the picture that the author's program stored with the object.
  return chart && { ...chart, isDrawn: true };
}

async function readPart(zip: Zip, name: string): Promise<FoundPart | null> {
  const bytes = await zip.read(name, CHART_BYTES).catch(() => null);
  const root = bytes === null ? null : xmlTree(decodeXml(bytes));
  if (!root) return null;
  const chart = readChartPart(root);
  if (chart) return { ...chart, isDrawn: true };
  const extended = readChartExPart(root);
  return extended && { ...extended, isDrawn: false };
}

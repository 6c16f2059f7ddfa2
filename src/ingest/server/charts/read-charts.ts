import type { FoundChart } from '../../../charts/chart-data.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { openZip, type Zip } from '../formats/open-zip.ts';
import { part, readPresentation, relationships, relationshipsById, type Relationship } from '../formats/pptx-parts.ts';
import { decodeXml, xmlAttribute } from '../formats/xml-events.ts';
import { OBJECT_BYTES, readChartObject } from './chart-object.ts';
import { readChartExPart } from './chartex-part.ts';
import { readChartPart, withoutNumbers, type ChartPart } from './chart-part.ts';
import { chartFrames, type SlideFrame } from './slide-frames.ts';
import { xmlTree } from '../formats/xml-tree.ts';

/** What a deck says of its charts. `pages` counts the visible slides. */
export type DeckCharts = { pages: number; charts: (Omit<FoundChart, 'image'> & { isDrawn: boolean })[] };

/** The numbers of a chart are text; more than this is an attack on memory. */
const CHART_BYTES = 8 * 1024 * 1024;
const MAX_CHARTS = 1_000;
/** Of all charts of a deck: a few hundred bytes can claim a thousand points each. */
const MAX_VALUES = 500_000;

/**
 * Every chart on a visible slide of a PPTX, in order of pages and then of drawing: native ones, objects of Microsoft
 * Graph and Excel, and large pictures that a program described as charts. Slides that are hidden have no page, and so
 * their charts are left out. A chart that cannot be read is left out too; a picture, and an object kept elsewhere, has
 * no series. `isDrawn` is false for the kinds LibreOffice does not draw: a picture of the page would show a
 * placeholder. The file must have passed `sniffFile`. Throws RefusedError as `openZip` does.
 */
export async function readCharts(path: string): Promise<DeckCharts> {
  const zip = await openZip(path);
  try {
    const main =
      (await relationships(zip, '')).find((one) => one.type === 'officeDocument')?.target ?? 'ppt/presentation.xml';
    const { slideIds, width, height } = readPresentation((await part(zip, main)) ?? '');
    const slideParts = new Map((await relationshipsById(zip, main)).map(([id, one]) => [id, one.target]));
    const charts: DeckCharts['charts'] = [];
    const read = {
      part: once((name) => readPart(zip, name)),
      object: once((name) => readObject(zip, name)),
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
  data.series.reduce((sum, one) => sum + one.values.length, data.categories.length);

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
  // The object is in a file of its author's; its picture is here.
  return one.kind === 'object' ? { ...withoutNumbers('other'), isDrawn: true } : null;
}

/** A deck may point to one part from every slide, and mean harm: it is read once. */
function once(read: Read): Read {
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
  // What is drawn is the picture its program left beside it.
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

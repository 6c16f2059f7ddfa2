import type { FoundChart } from '../../../charts/chart-data.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { openZip, type Zip } from '../open-zip.ts';
import { part, readPresentation, relationships, relationshipsById } from '../pptx-parts.ts';
import { decodeXml, xmlAttribute } from '../xml-events.ts';
import { readChartExPart } from './chartex-part.ts';
import { readChartPart, type ChartPart } from './chart-part.ts';
import { chartFrames } from './slide-frames.ts';
import { xmlTree } from './xml-tree.ts';

/** What a deck says of its charts. `pages` counts the visible slides. */
export type DeckCharts = { pages: number; charts: (Omit<FoundChart, 'image'> & { isDrawn: boolean })[] };

/** The numbers of a chart are text; more than this is an attack on memory. */
const CHART_BYTES = 8 * 1024 * 1024;
const MAX_CHARTS = 1_000;
/** Of all charts of a deck: a few hundred bytes can claim a thousand points each. */
const MAX_VALUES = 500_000;

/**
 * Every native chart on a visible slide of a PPTX, in order of pages and then of drawing. Slides that are hidden have no page, and so
 * their charts are left out. A chart that cannot be read is left out too. `isDrawn` is false for the kinds LibreOffice does not draw:
 * a picture of the page would show a placeholder. The file must have passed `sniffFile`. Throws RefusedError as `openZip` does.
 */
export async function readCharts(path: string): Promise<DeckCharts> {
  const zip = await openZip(path);
  try {
    const main =
      (await relationships(zip, '')).find((one) => one.type === 'officeDocument')?.target ?? 'ppt/presentation.xml';
    const { slideIds, width, height } = readPresentation((await part(zip, main)) ?? '');
    const slideParts = new Map((await relationshipsById(zip, main)).map(([id, one]) => [id, one.target]));
    const charts: DeckCharts['charts'] = [];
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
      for (const { relationshipId, frame } of frames) {
        const target = targets.get(relationshipId);
        const found = target && !target.external ? await readPart(zip, target.target) : null;
        values += found ? valuesOf(found) : 0;
        if (values > MAX_VALUES) break;
        if (found) charts.push({ page, frame, ...found });
      }
    }
    return { pages, charts };
  } finally {
    zip.close();
  }
}

const valuesOf = ({ data }: ChartPart) =>
  data.series.reduce((sum, one) => sum + one.values.length, data.categories.length);

async function readPart(zip: Zip, name: string): Promise<(ChartPart & { isDrawn: boolean }) | null> {
  const bytes = await zip.read(name, CHART_BYTES).catch(() => null);
  const root = bytes === null ? null : xmlTree(decodeXml(bytes));
  if (!root) return null;
  const chart = readChartPart(root);
  if (chart) return { ...chart, isDrawn: true };
  const extended = readChartExPart(root);
  return extended && { ...extended, isDrawn: false };
}

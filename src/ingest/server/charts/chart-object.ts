import { RefusedError } from '../../refusals.ts';
import { checkXml } from '../formats/check-xml.ts';
import { bytesOf, openOle } from '../formats/ole-file.ts';
import { openZip } from '../formats/open-zip.ts';
import { decodeXml } from '../formats/xml-events.ts';
import { readBiffChart } from './biff-chart.ts';
import { readChartExPart } from './chartex-part.ts';
import { readChartPart, withoutNumbers, type ChartPart } from './chart-part.ts';
import { xmlTree } from '../formats/xml-tree.ts';

/** A chart object has a few kilobytes; Excel may embed the whole workbook with it. */
export const OBJECT_BYTES = 16 * 1024 * 1024;
/** Limit of the record stream; a longer stream has more records than `readBiffChart` reads. */
const STREAM_BYTES = 8 * 1024 * 1024;
export const CHART_BYTES = 8 * 1024 * 1024;

const CHART_NAME = /^xl\/charts\/chart[^/]*\.xml$/i;

/**
 * Returns the chart in an embedded object of Microsoft Graph or Excel: a compound file with records, or a workbook of
 * Office 2007. An object of which only the kind is known has the type `other` and no series. Null when the object is
 * damaged or is neither.
 */
export async function readChartObject(bytes: Buffer): Promise<ChartPart | null> {
  try {
    return isZip(bytes) ? await chartOfWorkbook(bytes) : await chartOfCompound(bytes);
  } catch (error) {
    // Untrusted bytes: the container is refused, or a read passes the end of a record.
    if (error instanceof RefusedError || error instanceof RangeError) return null;
    throw error;
  }
}

const isZip = (bytes: Buffer) => bytes.length > 4 && bytes.readUInt32LE(0) === 0x04034b50;

async function chartOfCompound(bytes: Buffer): Promise<ChartPart | null> {
  const ole = await openOle(bytesOf(bytes), bytes.length);
  const streamOf = async (names: string[]) => {
    const entry = ole.entries.find(({ name, kind }) => kind === 'stream' && names.includes(name.toLowerCase()));
    return entry && entry.size <= STREAM_BYTES ? ole.read(entry, 0, entry.size) : null;
  };
  const records = (await streamOf(['workbook'])) ?? (await streamOf(['book']));
  if (records) return readBiffChart(records);
  const workbook = await streamOf(['package']);
  return workbook && isZip(workbook) ? chartOfWorkbook(workbook) : null;
}

/**
 * Returns the chart of a workbook that has exactly one chart: which of several charts is shown cannot be found
 * reliably.
 */
async function chartOfWorkbook(bytes: Buffer): Promise<ChartPart | null> {
  const zip = await openZip(bytes);
  try {
    const [name, ...more] = zip.names.filter((one) => CHART_NAME.test(one));
    if (name === undefined || more.length > 0) return withoutNumbers('other');
    const xml = await zip.read(name, CHART_BYTES);
    // checkXml has checked the parts of the deck, but not those of the workbook inside it.
    const check = checkXml();
    if (xml === null || (check.push(xml) ?? check.end()) !== null) return null;
    const root = xmlTree(decodeXml(xml));
    return root && (readChartPart(root) ?? readChartExPart(root));
  } finally {
    zip.close();
  }
}

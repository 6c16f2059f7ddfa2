import type { Command } from 'commander';
import type { Ctx } from '../../context.ts';
import { findDocument } from '../../library/server/catalogue.ts';
import {
  commandGroup,
  EXIT,
  idNumber,
  OperatorError,
  printable,
  wholeNumber,
  type Open,
} from '../../platform/command-line.ts';
import type { ChartData } from '../chart-data.ts';
import { hasNumbers } from '../rules.ts';
import { csvOfChart } from './chart-csv.ts';
import { findChartData, listCharts, type ChartFacts } from './list-charts.ts';

type Options = { csv?: boolean; chart?: number; json?: boolean };

/** Spreadsheets read a table as UTF-8 only when it says so. */
const BYTE_ORDER_MARK = '\ufeff';

/** `ceku document charts <id>`: the charts of a document and their numbers. */
export function chartCommands(program: Command, open: Open): void {
  commandGroup(program, 'document', 'manage documents')
    .command('charts')
    .description('the charts found in it, with their numbers where the file keeps them')
    .argument('<id>', 'document id', idNumber)
    .option('--chart <n>', 'only the one of this number', wholeNumber(1, 1_000))
    .option('--csv', 'the numbers as CSV; several charts follow each other after an empty line')
    .option('--json', 'one JSON object a chart, its numbers included')
    .action((documentId: number, options: Options) => open((ctx) => showCharts(ctx, documentId, options)));
}

async function showCharts(ctx: Ctx, documentId: number, options: Options): Promise<void> {
  if (options.csv && options.json) throw new OperatorError('Say --csv or --json, one of them.', EXIT.usage);
  const document = await findDocument(ctx, documentId);
  if (!document) throw new OperatorError(`There is no document ${documentId}.`, EXIT.data);
  const all = await listCharts(ctx, document.fileId);
  const charts = options.chart ? all.filter((chart) => chart.number === options.chart) : all;
  if (options.chart && charts.length === 0)
    throw new OperatorError(`Document ${documentId} has no chart ${options.chart}.`, EXIT.data);
  const read = [];
  for (const chart of charts) read.push({ chart, data: await findChartData(ctx, document.fileId, chart.number) });
  if (options.csv && charts.length > 0) return printTables(read);
  for (const { chart, data } of read)
    console.log(options.json ? JSON.stringify({ ...chart, data }) : lineOf(chart, data));
  console.error(`${charts.length} chart${charts.length === 1 ? '' : 's'}.`);
}

type ReadChart = { chart: ChartFacts; data: ChartData | null };

/** Tables on one channel, and on the other of which charts there is none. Throws OperatorError when there is no table at all. */
function printTables(charts: ReadChart[]): void {
  const tables: string[] = [];
  const bare: number[] = [];
  for (const { chart, data } of charts) {
    if (data && hasNumbers(data)) tables.push(csvOfChart(data));
    else bare.push(chart.number);
  }
  const said = `No numbers of chart ${bare.join(', ')}: the file holds only ${bare.length === 1 ? 'its picture' : 'their pictures'}.`;
  if (tables.length === 0) throw new OperatorError(said, EXIT.data);
  process.stdout.write(BYTE_ORDER_MARK + tables.join('\r\n'));
  if (bare.length > 0) console.error(said);
}

function lineOf(chart: ChartFacts, data: ChartData | null): string {
  const picture = chart.width > 0 ? `${chart.width}x${chart.height}` : 'no picture';
  const numbers = data && hasNumbers(data) ? '' : ', no numbers';
  return printable(
    `${String(chart.number).padStart(3)}  page ${chart.page}  ${chart.typeCode}  ${chart.name}  (${picture}${numbers})`,
  );
}

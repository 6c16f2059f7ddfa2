import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import { findDocument } from '../../library/server/catalogue.ts';
import { commandGroup, EXIT, idNumber, OperatorError, printable, wholeNumber } from '../../platform/command-line.ts';
import type { ChartData } from '../chart-data.ts';
import { hasNumbers } from '../rules.ts';
import { BYTE_ORDER_MARK, csvOfChart } from './chart-csv.ts';
import { findChartData, listCharts, type ChartFacts } from './list-charts.ts';

type Options = { csv?: boolean; chart?: number; json?: boolean };

/** `ceku document charts <id>`: prints the charts of a document and their numbers. */
export function chartCommands(program: Command, open: Open): void {
  commandGroup(program, 'document', 'manage documents')
    .command('charts')
    .description('list the charts of a document, with their numbers if the file has them')
    .argument('<id>', 'document id', idNumber)
    .option('--chart <n>', 'only the chart of this number', wholeNumber(1, 1_000))
    .option('--csv', 'print the numbers as CSV; an empty line separates charts')
    .option('--json', 'print one JSON object per chart, with its numbers')
    .action((documentId: number, options: Options) => open((ctx) => showCharts(ctx, documentId, options)));
}

async function showCharts(ctx: Ctx, documentId: number, options: Options): Promise<void> {
  if (options.csv && options.json) throw new OperatorError('Give either --csv or --json.', EXIT.usage);
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

/**
 * Prints the tables on stdout, and the names of charts without a table on stderr. Throws OperatorError when no chart
 * has a table.
 */
function printTables(charts: ReadChart[]): void {
  const tables: string[] = [];
  const bare: number[] = [];
  for (const { chart, data } of charts) {
    if (data && hasNumbers(data)) tables.push(csvOfChart(data));
    else bare.push(chart.number);
  }
  const said = `Chart ${bare.join(', ')} has no numbers: the file contains only ${bare.length === 1 ? 'a picture' : 'pictures'}.`;
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

import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import { commandGroup, EXIT, OperatorError, printResult, type Json } from '../../platform/command-line.ts';
import {
  CATALOGUES,
  formatPriceList,
  parsePriceList,
  PriceListError,
  termsText,
  type PriceList,
} from './price-list.ts';
import { findPriceList, setPriceList } from './prices.ts';

/** Adds `ceku price list|export|set`. */
export function priceCommands(program: Command, open: Open): void {
  const group = commandGroup(program, 'price', 'membership plans and coin packs on sale');
  group
    .command('list')
    .description('list what is on sale')
    .option('--json', 'as JSON')
    .action((options: Json) => open((ctx) => list(ctx, options)));
  group
    .command('export')
    .description('print the price list as YAML, for "ceku price set"')
    .action(() => open(async (ctx) => void process.stdout.write(formatPriceList(await findPriceList(ctx)))));
  group
    .command('set')
    .description('show what a YAML price list changes, and change it with --yes; orders and grants that exist stay')
    .argument('<file>', 'the price list; - reads standard input')
    .option('--yes', 'change the prices')
    .option('--json', 'as JSON')
    .action((file: string, options: Json & { yes?: boolean }) => open((ctx) => set(ctx, file, options)));
}

async function list(ctx: Ctx, options: Json): Promise<void> {
  const prices = await findPriceList(ctx);
  const words = CATALOGUES.flatMap((catalogue) => [
    `${catalogue}:`,
    ...prices[catalogue].map((item) => `  ${item.id}  ${termsText(item)}`),
  ]);
  printResult(options, prices, words.join('\n'));
}

async function set(ctx: Ctx, file: string, options: Json & { yes?: boolean }): Promise<void> {
  const wanted = await readPriceList(file);
  const { changes, isDone } = await refuse(file, () => setPriceList(ctx, wanted, { isDryRun: !options.yes }));
  const end =
    changes.length === 0 ? 'Nothing changes.' : isDone ? 'Changed.' : 'Nothing changed yet. Add --yes to change it.';
  printResult(options, { changes, changed: isDone }, [...changes, end].join('\n'));
}

async function readPriceList(file: string): Promise<PriceList> {
  const text = await readText(file);
  return refuse(file, () => Promise.resolve(parsePriceList(text)));
}

async function readText(file: string): Promise<string> {
  try {
    return await (file === '-' ? readAll(process.stdin) : readFile(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${file} cannot be read: ${reason}`, EXIT.data);
  }
}

/** Names the problems of a file to the operator. */
async function refuse<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PriceListError)) throw error;
    throw new OperatorError(`${file} is no price list. Nothing changed.\n${error.problems.join('\n')}`, EXIT.data);
  }
}

import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import { commandGroup, printResult, type Json } from '../../platform/command-line.ts';
import { setByFile } from '../../platform/yaml-file.ts';
import { CATALOGUES, formatPriceList, parsePriceList, termsText } from './price-list.ts';
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
    .action((file: string, options: Json & { yes?: boolean }) =>
      open((ctx) =>
        setByFile(file, 'price list', options, async (text, how) => setPriceList(ctx, parsePriceList(text), how)),
      ),
    );
}

async function list(ctx: Ctx, options: Json): Promise<void> {
  const prices = await findPriceList(ctx);
  const words = CATALOGUES.flatMap((catalogue) => [
    `${catalogue}:`,
    ...prices[catalogue].map((item) => `  ${item.id}  ${termsText(item)}`),
  ]);
  printResult(options, prices, words.join('\n'));
}

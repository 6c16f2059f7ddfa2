import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import { commandGroup, printResult, type Json } from '../../platform/command-line.ts';
import { setByFile } from '../../platform/yaml-file.ts';
import { findCollectionList, formatCollectionList, parseCollectionList, setCollectionList } from './collection-list.ts';

/** Adds `ceku collection list|export|set`. */
export function collectionCommands(program: Command, open: Open): void {
  const group = commandGroup(program, 'collection', 'collections of documents that you choose');
  group
    .command('list')
    .description('list the collections with their documents')
    .option('--json', 'as JSON')
    .action((options: Json) => open((ctx) => list(ctx, options)));
  group
    .command('export')
    .description('print the collections as YAML, for "ceku collection set"')
    .action(() => open(print));
  group
    .command('set')
    .description('show what a YAML list of collections changes, and change it with --yes; one left out is not shown')
    .argument('<file>', 'the list of collections; - reads standard input')
    .option('--yes', 'change the collections')
    .option('--json', 'as JSON')
    .action((file: string, options: Json & { yes?: boolean }) =>
      open((ctx) =>
        setByFile(file, 'list of collections', options, async (text, how) =>
          setCollectionList(ctx, parseCollectionList(text), how),
        ),
      ),
    );
}

async function list(ctx: Ctx, options: Json): Promise<void> {
  const found = await findCollectionList(ctx);
  const rows = found.list.map((terms) => ({
    ...terms,
    shown: terms.documents.filter((id) => found.names.get(id)?.state === 'published').length,
  }));
  const words = rows.map(
    ({ id, name, documents, shown }) => `${id}  ${name}: ${documents.length} documents, ${shown} of them published`,
  );
  printResult(options, { collections: rows }, words.length > 0 ? words.join('\n') : 'No collections.');
}

async function print(ctx: Ctx): Promise<void> {
  const { list: terms, names } = await findCollectionList(ctx);
  process.stdout.write(formatCollectionList(terms, names));
}

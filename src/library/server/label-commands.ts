import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import { commandGroup, printResult, type Json } from '../../platform/command-line.ts';
import { setByFile } from '../../platform/yaml-file.ts';
import {
  formatLabelList,
  LABEL_LISTS,
  listLabelUses,
  parseLabelList,
  setLabelList,
  type ListKind,
} from './label-list.ts';

/** Adds `ceku theme list|export|set` and `ceku industry list|export|set`. */
export function labelCommands(program: Command, open: Open): void {
  addGroup(program, open, 'theme', 'the themes (活动类型); the first eight are the tabs of the home page');
  addGroup(program, open, 'industry', 'the industries (行业)');
}

function addGroup(program: Command, open: Open, kind: ListKind, description: string): void {
  const group = commandGroup(program, kind, description);
  const names = LABEL_LISTS[kind];
  group
    .command('list')
    .description(`list the ${names} with the number of their documents`)
    .option('--json', 'as JSON')
    .action((options: Json) => open((ctx) => list(ctx, kind, options)));
  group
    .command('export')
    .description(`print the ${names} as YAML, for "ceku ${kind} set"`)
    .action(() =>
      open(async (ctx) => {
        const terms = (await listLabelUses(ctx, kind)).map(({ id, name }) => ({ id, name }));
        process.stdout.write(formatLabelList(kind, terms));
      }),
    );
  group
    .command('set')
    .description(`show what a YAML list of ${names} changes, and change it with --yes`)
    .argument('<file>', `the list of ${names}; - reads standard input`)
    .option('--yes', `change the ${names}`)
    .option('--json', 'as JSON')
    .action((file: string, options: Json & { yes?: boolean }) =>
      open((ctx) =>
        setByFile(file, `list of ${LABEL_LISTS[kind]}`, options, async (text, how) =>
          setLabelList(ctx, kind, parseLabelList(kind, text), how),
        ),
      ),
    );
}

async function list(ctx: Ctx, kind: ListKind, options: Json): Promise<void> {
  const labels = await listLabelUses(ctx, kind);
  const words = labels.map(({ id, name, documents }) => `${id}  ${name}: ${documents} documents`);
  printResult(options, { [LABEL_LISTS[kind]]: labels }, words.join('\n'));
}

import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import { commandGroup, printResult, type Json } from '../../platform/command-line.ts';
import { readGivenFile, withProblemsOf, wordsOfChanges } from '../../platform/yaml-file.ts';
import { findGroupList, formatGroupList, parseGroupList, setGroupList } from './group-list.ts';
import { selectGroupCounts } from './store.ts';

/** Adds `ceku group list|set|export`. */
export function groupCommands(program: Command, open: Open): void {
  const group = commandGroup(program, 'group', 'groups of members, with a shelf each');
  group
    .command('list')
    .description('list the groups with their members and documents')
    .option('--json', 'as JSON')
    .action((options: Json) => open((ctx) => list(ctx, options)));
  group
    .command('export')
    .description('print the groups as YAML, for "ceku group set"')
    .action(() => open(async (ctx) => void process.stdout.write(formatGroupList(await findGroupList(ctx)))));
  group
    .command('set')
    .description('show what a YAML list of groups changes, and change it with --yes; a group left out is closed')
    .argument('<file>', 'the list of groups; - reads standard input')
    .option('--yes', 'change the groups')
    .option('--json', 'as JSON')
    .action((file: string, options: Json & { yes?: boolean }) => open((ctx) => set(ctx, file, options)));
}

async function list(ctx: Ctx, options: Json): Promise<void> {
  const [groups, counts] = await Promise.all([findGroupList(ctx), selectGroupCounts(ctx.db)]);
  const rows = groups.map((group) => ({
    ...group,
    ...(counts.get(group.id ?? 0) ?? { members: 0, documents: 0 }),
  }));
  const words = rows.map(
    ({ id, name, members, documents }) => `${id}  ${name}: ${members} members, ${documents} documents`,
  );
  printResult(options, { groups: rows }, words.length > 0 ? words.join('\n') : 'No groups.');
}

async function set(ctx: Ctx, file: string, options: Json & { yes?: boolean }): Promise<void> {
  const text = await readGivenFile(file);
  const { changes, isDone } = await withProblemsOf(file, 'list of groups', async () =>
    setGroupList(ctx, parseGroupList(text), { isDryRun: !options.yes }),
  );
  printResult(options, { changes, changed: isDone }, wordsOfChanges(changes, isDone));
}

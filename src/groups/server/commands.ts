import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import {
  commandGroup,
  EXIT,
  idNumber,
  OperatorError,
  printable,
  printResult,
  type Json,
} from '../../platform/command-line.ts';
import { setByFile } from '../../platform/yaml-file.ts';
import { findGroupList, formatGroupList, parseGroupList, setGroupList } from './group-list.ts';
import { selectGroupCounts } from './store.ts';
import { listReports, removeUpload } from './uploads/reports.ts';

/** Adds `ceku group list|export|set|reports|remove-file`. */
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
    .action((file: string, options: Json & { yes?: boolean }) =>
      open((ctx) =>
        setByFile(file, 'list of groups', options, async (text, how) => setGroupList(ctx, parseGroupList(text), how)),
      ),
    );
  group
    .command('reports')
    .description('list what members reported about uploaded files')
    .option('--json', 'as JSON')
    .action((options: Json) => open((ctx) => reports(ctx, options)));
  group
    .command('remove-file')
    .description('remove a file that a member uploaded, with its pages and its reports')
    .argument('<id>', 'the id of the file, as "ceku group reports" prints it', idNumber)
    .option('--json', 'as JSON')
    .action((id: number, options: Json) => open((ctx) => removeFile(ctx, id, options)));
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

async function reports(ctx: Ctx, options: Json): Promise<void> {
  const rows = await listReports(ctx);
  const words = rows.map(
    ({ uploadId, name, group, uploaderId, reporterId, reason, createdAt }) =>
      `${uploadId}  ${name}, in ${group ?? 'no group'}, uploaded by user ${uploaderId}\n` +
      `    ${createdAt.toISOString()} user ${reporterId}: ${printable(reason)}`,
  );
  printResult(options, { reports: rows }, words.length > 0 ? words.join('\n') : 'No reports.');
}

async function removeFile(ctx: Ctx, id: number, options: Json): Promise<void> {
  if (!(await removeUpload(ctx, id))) throw new OperatorError(`There is no uploaded file ${id}.`, EXIT.data);
  printResult(options, { removed: id }, `File ${id} is removed.`);
}

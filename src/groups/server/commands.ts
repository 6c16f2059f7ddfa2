import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import {
  commandGroup,
  EXIT,
  idNumber,
  OperatorError,
  printable,
  printResult,
  writeNamedFile,
  type Json,
} from '../../platform/command-line.ts';
import { setByFile } from '../../platform/yaml-file.ts';
import { findGroupList, formatGroupList, parseGroupList, setGroupList } from './group-list.ts';
import { selectGroupCounts } from './store.ts';
import { dismissReports, listReports, readUpload, removeUpload } from './uploads/reports.ts';

/** Adds `ceku group list|export|set|reports|save-file|dismiss-reports|remove-file`. */
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
    .command('save-file')
    .description('save a file that a member uploaded, to look at it')
    .argument('<id>', 'the id of the file, as "ceku group reports" prints it', idNumber)
    .argument('<path>', 'where to save it; no file is overwritten')
    .option('--json', 'as JSON')
    .action((id: number, path: string, options: Json) => open((ctx) => saveFile(ctx, id, path, options)));
  group
    .command('dismiss-reports')
    .description('close the reports about a file; the file stays')
    .argument('<id>', 'the id of the file, as "ceku group reports" prints it', idNumber)
    .option('--json', 'as JSON')
    .action((id: number, options: Json) => open((ctx) => dismiss(ctx, id, options)));
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

async function saveFile(ctx: Ctx, id: number, path: string, options: Json): Promise<void> {
  const bytes = await readUpload(ctx, id);
  if (!bytes) throw new OperatorError(`There is no uploaded file ${id}.`, EXIT.data);
  await writeNamedFile(path, bytes);
  printResult(options, { id, file: path }, `File ${id} is in ${path}.`);
}

async function dismiss(ctx: Ctx, id: number, options: Json): Promise<void> {
  const count = await dismissReports(ctx, id);
  if (count === 0) throw new OperatorError(`There are no reports about a file ${id}.`, EXIT.data);
  printResult(options, { dismissed: count }, `Reports closed: ${count}. File ${id} stays.`);
}

async function removeFile(ctx: Ctx, id: number, options: Json): Promise<void> {
  if (!(await removeUpload(ctx, id))) throw new OperatorError(`There is no uploaded file ${id}.`, EXIT.data);
  printResult(options, { removed: id }, `File ${id} is removed.`);
}

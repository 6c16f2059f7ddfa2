import type { Command } from 'commander';
import type { Ctx, Open } from '../../../context.ts';
import { dayText } from '../../../library/rules.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { listVersions } from '../../../library/server/versions/list-versions.ts';
import { commandGroup, EXIT, idNumber, OperatorError, printResult, type Json } from '../../../platform/command-line.ts';
import type { Proposal } from '../../about/propose-labels.ts';
import { describeMissing } from './describe-missing.ts';
import { selectFile } from '../store/files.ts';
import { selectFingerprint } from './store.ts';

/** `ceku document about|versions` and `ceku describe`. */
export function aboutCommands(program: Command, open: Open): void {
  const group = commandGroup(program, 'document', 'manage documents');
  group
    .command('about')
    .description('show title, keywords, themes, industry and type found in the text, with what led to them')
    .argument('<id>', 'document id', idNumber)
    .option('--json', 'print JSON')
    .action((id: number, options: Json) => open((ctx) => showAbout(ctx, id, options)));
  group
    .command('versions')
    .description('list other versions of the same document, newest first')
    .argument('<id>', 'document id', idNumber)
    .option('--json', 'print JSON')
    .action((id: number, options: Json) => open((ctx) => showVersions(ctx, id, options)));
  program
    .command('describe')
    .description('find keywords, themes and industries of documents that have none yet')
    .option('--all', 'describe every document again, with new word counts')
    .action((options: { all?: boolean }) =>
      open(async (ctx) => {
        const count = await describeMissing(ctx, { isAll: options.all ?? false });
        console.error(`${count} file${count === 1 ? '' : 's'} described.`);
      }),
    );
}

async function fileOf(ctx: Ctx, id: number): Promise<number> {
  const document = await findDocument(ctx, id);
  if (!document) throw new OperatorError(`There is no document ${id}.`, EXIT.data);
  return document.fileId;
}

async function showAbout(ctx: Ctx, id: number, options: Json): Promise<void> {
  const found = await selectFingerprint(ctx.db, await fileOf(ctx, id));
  if (!found) throw new OperatorError(`Document ${id} is not described yet; run "ceku describe".`, EXIT.data);
  const { title, titleReason, keywords, proposals } = found;
  const doubts = (await selectFile(ctx.db, found.fileId))?.doubts ?? [];
  const lines = [
    `title     ${title}${titleReason && ` (from ${titleReason})`}`,
    `keywords  ${keywords.join(', ')}`,
    ...proposals.themes.map((theme) => `theme     ${explain(theme)}`),
    `industry  ${proposals.industry ? explain(proposals.industry) : 'none is certain enough'}`,
    `type      ${proposals.type ? explain(proposals.type) : 'the title names none'}`,
    ...doubts.map((doubt) => `doubt     ${doubt}`),
  ];
  printResult(options, { id, title, titleReason, keywords, proposals, doubts }, lines.join('\n'));
}

function explain({ name, score, words }: Proposal): string {
  return `${name} ${score}: ${words.map(({ word, weight }) => `${word} ${weight}`).join(', ')}`;
}

async function showVersions(ctx: Ctx, id: number, options: Json): Promise<void> {
  const versions = await listVersions(ctx, await fileOf(ctx, id));
  const lines = versions.map(
    (version) =>
      `${version.id === id ? '*' : ' '} ${version.id}  ${dayText(version.createdAt)}  ${version.state}  ${version.fileType}, ${version.pageCount} pages  ${version.name}`,
  );
  printResult(options, versions, lines.join('\n') || `Document ${id} has no other version.`);
}

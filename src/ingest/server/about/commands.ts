import type { Command } from 'commander';
import type { Ctx } from '../../../context.ts';
import { dayText } from '../../../library/rules.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { listVersions } from '../../../library/server/versions/list-versions.ts';
import {
  commandGroup,
  EXIT,
  idNumber,
  OperatorError,
  printResult,
  type Json,
  type Open,
} from '../../../platform/command-line.ts';
import type { Proposal } from '../../about/propose-labels.ts';
import { describeMissing } from './describe-missing.ts';
import { selectFingerprint } from './store.ts';

/** `ceku document about|versions` and `ceku describe`. */
export function aboutCommands(program: Command, open: Open): void {
  const group = commandGroup(program, 'document', 'manage documents');
  group
    .command('about')
    .description('what it is about by its words, and which words say so')
    .argument('<id>', 'document id', idNumber)
    .option('--json', 'as JSON')
    .action((id: number, options: Json) => open((ctx) => showAbout(ctx, id, options)));
  group
    .command('versions')
    .description('other exports and states of the same plan, newest first')
    .argument('<id>', 'document id', idNumber)
    .option('--json', 'as JSON')
    .action((id: number, options: Json) => open((ctx) => showVersions(ctx, id, options)));
  program
    .command('describe')
    .description('find out what documents are about that were never read for it')
    .option('--all', 'every one again, with the words counted anew')
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
  if (!found) throw new OperatorError(`Document ${id} was not read yet: "ceku describe" does it.`, EXIT.data);
  const { title, keywords, proposals } = found;
  const lines = [
    `title     ${title}`,
    `keywords  ${keywords.join(', ')}`,
    ...proposals.themes.map((theme) => `theme     ${explain(theme)}`),
    `industry  ${proposals.industry ? explain(proposals.industry) : 'none is sure enough'}`,
  ];
  printResult(options, { id, title, keywords, proposals }, lines.join('\n'));
}

function explain({ name, score, words }: Proposal): string {
  return `${name} ${score}: ${words.map(({ word, weight }) => `${word} ${weight}`).join(', ')}`;
}

async function showVersions(ctx: Ctx, id: number, options: Json): Promise<void> {
  const versions = await listVersions(ctx, await fileOf(ctx, id));
  const lines = versions.map(
    (one) =>
      `${one.id === id ? '*' : ' '} ${one.id}  ${dayText(one.createdAt)}  ${one.state}  ${one.fileType}, ${one.pageCount} pages  ${one.name}`,
  );
  printResult(options, versions, lines.join('\n') || `Document ${id} has no other version.`);
}

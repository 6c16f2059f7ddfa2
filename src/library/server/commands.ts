import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import {
  commandGroup,
  EXIT,
  idNumber,
  OperatorError,
  printResult,
  wholeNumber,
  type Json,
} from '../../platform/command-line.ts';
import { countLibrary, type DocumentFacts, findDocument } from './catalogue.ts';
import { editDocument, hideDocument, restoreDocument } from './documents.ts';
import { knownName, listCommand } from './list-command.ts';
import { listLabelNames, listThemes } from './labels.ts';
import { cleanLine, dayText } from '../rules.ts';
import type { HiddenReason } from './tables.ts';
import { verifyCommand } from './verify-command.ts';

const REASONS: readonly HiddenReason[] = ['operator', 'copyright', 'illegal'];

/** `ceku document show|list|verify|set|hide|restore` and `ceku stats`. */
export function libraryCommands(program: Command, open: Open): void {
  const group = commandGroup(program, 'document', 'manage documents');
  group
    .command('show')
    .description('show all facts of a document')
    .argument('<id>', 'document id', idNumber)
    .option('--json', 'as JSON')
    .action((id: number, options: Json) =>
      open(async (ctx) => {
        await show(ctx, id, options);
      }),
    );
  listCommand(group, open);
  verifyCommand(group, open);
  group
    .command('set')
    .description('change title, price, keywords or labels of a document')
    .argument('<id>', 'document id', idNumber)
    .option('--name <name>', 'title')
    .option('--price <coins>', 'price in coins', wholeNumber(0, 99_999))
    .option('--keyword <words>', 'separated by commas')
    .option('--industry <name>', 'one industry')
    .option('--themes <names>', 'separated by ;')
    .option('--json', 'as JSON')
    .action(
      (
        id: number,
        options: Json & { name?: string; price?: number; keyword?: string; industry?: string; themes?: string },
      ) =>
        open(async (ctx) => {
          const { name, price, keyword, industry, themes } = options;
          if ([name, price, keyword, industry, themes].every((given) => given === undefined))
            throw new OperatorError('Say what to change: ceku document set --help.', EXIT.usage);
          if (name !== undefined && cleanLine(name) === '')
            throw new OperatorError('A document needs a title.', EXIT.usage);
          await found(ctx, id);
          const names = await listLabelNames(ctx);
          // A typing error must not create an industry; "" removes the label.
          const known = (kind: 'industry' | 'theme', word: string) => (word.trim() ? knownName(kind, word, names) : '');
          await editDocument(ctx, id, {
            ...(options.name !== undefined && { name: options.name }),
            ...(options.price !== undefined && { priceCoins: options.price }),
            ...(options.keyword !== undefined && { keyword: options.keyword }),
            ...(options.industry !== undefined && { industry: known('industry', options.industry) }),
            ...(options.themes !== undefined && {
              themes: options.themes.split(/[;；]/).map((theme) => known('theme', theme)),
            }),
          });
          await show(ctx, id, options);
        }),
    );
  group
    .command('hide')
    .description('hide a document from every list at once')
    .argument('<id>', 'document id', idNumber)
    .option('--reason <reason>', REASONS.join(', '), 'operator')
    .option('--json', 'as JSON')
    .action((id: number, options: Json & { reason: string }) =>
      open(async (ctx) => {
        const reason = REASONS.find((known) => known === options.reason);
        if (!reason) throw new OperatorError(`--reason is one of ${REASONS.join(', ')}.`, EXIT.usage);
        await found(ctx, id);
        await hideDocument(ctx, id, reason);
        printResult(options, { id, state: 'hidden', reason }, `Document ${id} is hidden (${reason}).`);
      }),
    );
  group
    .command('restore')
    .description('publish a hidden document again')
    .argument('<id>', 'document id', idNumber)
    .option('--json', 'as JSON')
    .action((id: number, options: Json) =>
      open(async (ctx) => {
        await found(ctx, id);
        await restoreDocument(ctx, id);
        printResult(options, { id, state: 'published' }, `Document ${id} is published again.`);
      }),
    );
  program
    .command('stats')
    .description('count the documents of the library')
    .option('--json', 'as JSON')
    .action((options: Json) =>
      open(async (ctx) => {
        const count = await countLibrary(ctx);
        printResult(options, count, `${count.documents} documents published in ${count.industries} industries.`);
      }),
    );
}

async function found(ctx: Ctx, id: number): Promise<DocumentFacts> {
  const document = await findDocument(ctx, id);
  if (!document) throw new OperatorError(`There is no document ${id}.`, EXIT.data);
  return document;
}

async function show(ctx: Ctx, id: number, options: Json): Promise<void> {
  const document = await found(ctx, id);
  const named = await listThemes(ctx);
  const themes = document.themeIds.flatMap((theme) => named.find((one) => one.id === theme)?.name ?? []);
  printResult(options, { ...document, themes }, wordsOf(document, themes));
}

function originalWords({ damagedAt, checkedAt }: DocumentFacts): string {
  if (damagedAt) return `lost, found on ${dayText(damagedAt)}: nobody can download it`;
  return checkedAt ? `verified on ${dayText(checkedAt)}` : 'not verified since it was ingested';
}

function wordsOf(document: DocumentFacts, themes: string[]): string {
  const { state, hiddenReason } = document;
  return [
    `${document.id}  ${document.name}`,
    `${state}${state === 'hidden' && hiddenReason ? ` (${hiddenReason})` : ''}, ${document.fileType}, ${document.pageCount} pages, ${document.sizeBytes} bytes, ${document.priceCoins} coins`,
    `created ${dayText(document.createdAt)}; changed ${dayText(document.updatedAt)}; researcher ${document.researcher || 'none'}`,
    `industry ${document.industryName || 'none'}; type ${document.typeName || 'none'}; organization ${document.organizationName || 'none'}`,
    `themes ${themes.join('; ') || 'none'}`,
    `keyword ${document.keyword || 'none'}`,
    `previews of ${document.previewCount} pages; outline of ${document.outline.length} entries; file ${document.fileState}`,
    `sha256 ${document.sha256}; original ${originalWords(document)}`,
    ...(document.failureCode ? [`preparation failed: ${document.failureCode}: ${document.failureDetail ?? ''}`] : []),
    ...(document.flags.length > 0 ? [`noted: ${document.flags.join(', ')}`] : []),
    ...Object.entries(document.fonts).map(([named, drawn]) => `font ${named} was drawn as ${drawn}`),
  ].join('\n');
}

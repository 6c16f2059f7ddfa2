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
import { dayOption, knownName, listCommand } from './list-command.ts';
import { listLabelNames, listLabels } from './labels.ts';
import { cleanLine, dayText, isPlanDay } from '../rules.ts';
import { CLOSED_KINDS, LABELS, SINGLE_KINDS, type ClosedKind, type LabelKind, type SingleLabels } from '../taxonomy.ts';
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
  const set = group
    .command('set')
    .description('change title, price, keywords, labels, author or day of a document')
    .argument('<id>', 'document id', idNumber)
    .option('--name <name>', 'title')
    .option('--price <coins>', 'price in coins', wholeNumber(0, 99_999))
    .option('--keyword <words>', 'separated by commas');
  for (const kind of SINGLE_KINDS) set.option(`--${kind} <name>`, `${LABELS[kind].option}; "" for none`);
  set
    .option('--themes <names>', 'separated by ;')
    .option('--researcher <name>', 'the author; "" for none')
    .option('--date <day>', 'the day of the plan (YYYY-MM-DD)')
    .option('--json', 'as JSON')
    .action((id: number, options: Json & Changes) => open((ctx) => change(ctx, id, options)));
  group
    .command('hide')
    .description('hide a document from every list at once')
    .argument('<id>', 'document id', idNumber)
    .option('--reason <reason>', `${REASONS.join(', ')}; operator by default, and what it was hidden for already stays`)
    .option('--json', 'as JSON')
    .action((id: number, options: Json & { reason?: string }) =>
      open(async (ctx) => {
        const given = REASONS.find((known) => known === options.reason);
        if (!given && options.reason !== undefined)
          throw new OperatorError(`--reason is one of ${REASONS.join(', ')}.`, EXIT.usage);
        // Hidden for copyright it is lost for its owners too: only a reason that is given gives it back to them.
        const { state, hiddenReason, destroyedAt } = await found(ctx, id);
        if (destroyedAt) throw destroyedError(id, destroyedAt);
        const reason = given ?? (state === 'hidden' ? hiddenReason : null) ?? 'operator';
        await hideDocument(ctx, id, reason);
        printResult(options, { id, state: 'hidden', reason }, `Document ${id} is hidden (${reason}).`);
      }),
    );
  group
    .command('restore')
    .description('publish a hidden document again')
    .argument('<id>', 'document id', idNumber)
    .option('--despite-reason', 'also one that was hidden for copyright or as illegal')
    .option('--json', 'as JSON')
    .action((id: number, options: Json & { despiteReason?: boolean }) =>
      open(async (ctx) => {
        const { state, hiddenReason, fileState, failureCode, destroyedAt } = await found(ctx, id);
        if (destroyedAt) throw destroyedError(id, destroyedAt);
        if (failureCode === 'destroyed')
          throw new OperatorError(`Document ${id} has nothing to show: its file was destroyed.`, EXIT.data);
        if (state === 'hidden' && hiddenReason !== null && hiddenReason !== 'operator' && !options.despiteReason)
          throw new OperatorError(
            `Document ${id} was hidden (${hiddenReason}). A report of infringement may hold it: ceku takedown list names it, and ` +
              'ceku takedown restore ends it. With --despite-reason the document is published all the same.',
            EXIT.data,
          );
        if (state !== 'published' && !['ready', 'pending-preview'].includes(fileState))
          throw new OperatorError(
            `Document ${id} has nothing to show: its file is ${fileState}. ceku convert --document ${id} prepares it again.`,
            EXIT.data,
          );
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
        printResult(options, count, `Documents published: ${count.documents}. Industries: ${count.industries}.`);
      }),
    );
}

type Changes = Partial<SingleLabels> & {
  name?: string;
  price?: number;
  keyword?: string;
  themes?: string;
  researcher?: string;
  date?: string;
};

const isClosed = (kind: LabelKind): kind is ClosedKind => CLOSED_KINDS.some((closed) => closed === kind);

async function change(ctx: Ctx, id: number, { json, ...changes }: Json & Changes): Promise<void> {
  const { name, price, keyword, themes, researcher, date } = changes;
  if (Object.values(changes).every((given) => given === undefined))
    throw new OperatorError('Say what to change: ceku document set --help.', EXIT.usage);
  if (name !== undefined && cleanLine(name) === '') throw new OperatorError('A document needs a title.', EXIT.usage);
  const { destroyedAt } = await found(ctx, id);
  if (destroyedAt) throw destroyedError(id, destroyedAt);
  const names = await listLabelNames(ctx);
  // A typing error must not create an industry; "" removes the label.
  const known = (kind: ClosedKind, word: string) => (word.trim() ? knownName(kind, word, names) : '');
  const labels = SINGLE_KINDS.flatMap((kind) => {
    const word = changes[kind];
    return word === undefined ? [] : [[kind, isClosed(kind) ? known(kind, word) : word] as const];
  });
  const createdAt = dayOption('--date', date);
  if (createdAt && !isPlanDay(createdAt, ctx.clock.now()))
    throw new OperatorError('--date is today or a day before.', EXIT.usage);
  await editDocument(ctx, id, {
    ...(name !== undefined && { name }),
    ...(price !== undefined && { priceCoins: price }),
    ...(keyword !== undefined && { keyword }),
    ...Object.fromEntries(labels),
    ...(researcher !== undefined && { researcher }),
    ...(createdAt && { createdAt }),
    ...(themes !== undefined && { themes: themes.split(/[;；]/).map((theme) => known('theme', theme)) }),
  });
  await show(ctx, id, { json });
}

const destroyedError = (id: number, at: Date) =>
  new OperatorError(`Document ${id} was destroyed on ${dayText(at)}: it stays hidden.`, EXIT.data);

async function found(ctx: Ctx, id: number): Promise<DocumentFacts> {
  const document = await findDocument(ctx, id);
  if (!document) throw new OperatorError(`There is no document ${id}.`, EXIT.data);
  return document;
}

async function show(ctx: Ctx, id: number, options: Json): Promise<void> {
  const document = await found(ctx, id);
  const named = await listLabels(ctx, 'theme');
  const themes = document.themeIds.flatMap((theme) => named.find((label) => label.id === theme)?.name ?? []);
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
    SINGLE_KINDS.map((kind) => `${kind} ${document[`${kind}Name`] || 'none'}`).join('; '),
    `themes ${themes.join('; ') || 'none'}`,
    `keyword ${document.keyword || 'none'}`,
    `previews of ${document.previewCount} pages; outline of ${document.outline.length} entries; file ${document.fileState}`,
    `sha256 ${document.sha256}; original ${originalWords(document)}`,
    ...(document.destroyedAt ? [`destroyed on ${dayText(document.destroyedAt)}`] : []),
    ...(document.failureCode ? [`preparation failed: ${document.failureCode}: ${document.failureDetail ?? ''}`] : []),
    ...(document.flags.length > 0 ? [`noted: ${document.flags.join(', ')}`] : []),
    ...Object.entries(document.fonts).map(([named, drawn]) => `font ${named} was drawn as ${drawn}`),
  ].join('\n');
}

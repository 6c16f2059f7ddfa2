import type { Command } from 'commander';
import { FILE_TYPES } from '../file-types.ts';
import type { Ctx, Open } from '../../context.ts';
import { EXIT, idNumber, OperatorError, wholeNumber } from '../../platform/command-line.ts';
import { dayText, isKnownYear, nearestNames } from '../rules.ts';
import { CLOSED_KINDS, LABELS, type ClosedKind, type SingleKind } from '../taxonomy.ts';
import { listAllDocuments, type DocumentSearch, type ListedDocument } from './catalogue.ts';
import { listLabelNames, type LabelNames } from './labels.ts';

type OptionKind = Exclude<ClosedKind & SingleKind, 'type'>;
/** The labels that have an option of their own; a type is named by --type, as the type of a file is. */
const OPTION_KINDS = CLOSED_KINDS.filter((kind): kind is OptionKind => kind !== 'type' && kind !== 'theme');

type Options = Partial<Record<OptionKind, string>> & {
  state?: string;
  type?: string;
  text?: string;
  since?: string;
  limit: number;
  after?: number;
  doubtful?: boolean;
  json?: boolean;
};

const STATES = ['processing', 'published', 'hidden', 'failed'] as const;

/** `ceku document list`. */
export function listCommand(group: Command, open: Open): void {
  const list = group
    .command('list')
    .description('list documents in any state, the newest first')
    .option('--state <state>', STATES.join(', '))
    .option('--type <type>', `${FILE_TYPES.join(', ')}, or a kind such as 策划方案`);
  for (const kind of OPTION_KINDS) list.option(`--${kind} <name>`, LABELS[kind].option);
  list
    .option('--text <text>', 'in the title')
    .option('--since <day>', 'created on that day (YYYY-MM-DD) or later')
    .option(
      '--doubtful',
      'only documents whose title may not fit the file, with the reasons; `document set --name` settles it',
    )
    .option('--limit <n>', 'maximum number of lines', wholeNumber(1, 10_000), 100)
    .option('--after <id>', 'go on below that id', idNumber)
    .option('--json', 'one JSON object a line')
    .action((options: Options) => open((ctx) => listMatching(ctx, options)));
}

async function listMatching(ctx: Ctx, options: Options): Promise<void> {
  const { limit, after = null } = options;
  const search = searchOf(options, await listLabelNames(ctx));
  // One extra document tells whether there are more.
  const found = await listAllDocuments(ctx, search, { limit: limit + 1, after });
  const shown = found.slice(0, limit);
  for (const document of shown)
    console.log(options.json ? JSON.stringify(document) : lineOf(document, options.doubtful ?? false));
  if (found.length > limit) console.error(`There are more: --after ${shown.at(-1)?.id}`);
  if (shown.length === 0) console.error('No document matches.');
}

function searchOf({ state, type, text, since, doubtful, ...options }: Options, names: LabelNames): DocumentSearch {
  const knownState = STATES.find((known) => known === state);
  if (state !== undefined && !knownState)
    throw new OperatorError(`--state is one of ${STATES.join(', ')}.`, EXIT.usage);
  const fileType = FILE_TYPES.find((known) => known === type);
  const day = dayOption('--since', since);
  const labels = OPTION_KINDS.flatMap((kind) => {
    const word = options[kind];
    return word === undefined ? [] : [[kind, knownName(kind, word, names)] as const];
  });
  return {
    ...(knownState && { state: knownState }),
    ...(fileType && { fileType }),
    ...(type !== undefined && !fileType && { type: knownName('type', type, names) }),
    ...Object.fromEntries(labels),
    ...(text !== undefined && { text }),
    ...(day && { since: day }),
    ...(doubtful && { isDoubtful: true }),
  };
}

/** Returns midnight in Shanghai of a day such as 2026-03-05, from EARLIEST_DAY on; throws OperatorError (2) when `option` holds anything else. */
export function dayOption(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const day = new Date(`${text}T00:00:00+08:00`);
  if (Number.isNaN(day.getTime()) || dayText(day) !== text || !isKnownYear(day))
    throw new OperatorError(`${option} is a day such as 2026-03-05.`, EXIT.usage);
  return day;
}

/** Returns the name if the library has it; else throws OperatorError (65) with similar names. */
export function knownName(kind: keyof LabelNames, name: string, names: LabelNames): string {
  const wanted = name.normalize('NFC').trim();
  if (names[kind].includes(wanted)) return wanted;
  const near = nearestNames(wanted, names[kind]);
  const words = near.length > 0 ? `Did you mean ${near.join(', ')}?` : `Known are ${names[kind].join(', ')}.`;
  throw new OperatorError(`There is no ${kind} "${wanted}". ${words}`, EXIT.data);
}

function lineOf(
  { id, state, fileType, priceCoins, createdAt, name, doubts, ...labels }: ListedDocument,
  withDoubts: boolean,
): string {
  const facts = [
    state.padEnd(10),
    fileType.padEnd(4),
    dayText(createdAt),
    `${priceCoins} coins`,
    ...OPTION_KINDS.map((kind) => labels[kind] || '-'),
  ];
  const line = `${String(id).padStart(8)}  ${facts.join('  ')}  ${name}`;
  return [line, ...(withDoubts ? doubts.map((doubt) => `          ${doubt}`) : [])].join('\n');
}

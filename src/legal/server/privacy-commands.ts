import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { commandGroup, EXIT, OperatorError, printResult, type Json } from '../../platform/command-line.ts';
import { PRIVACY_KINDS } from '../rules.ts';
import { indented, receiptArgument, shownOf, spokenText } from './command-texts.ts';
import { answerRequest, countRequests, findRequest, listRequests, type ShownRequest } from './privacy-requests.ts';
import { countAllRequests } from './store-requests.ts';

/** Adds `ceku privacy list|show|answer`. */
export function privacyCommands(program: Command, open: Open): void {
  const group = commandGroup(program, 'privacy', 'requests about personal data, each due within 15 working days');
  group
    .command('list')
    .description('list the requests that wait for an answer, the first due first')
    .option('--due', 'those that are due within three days, or overdue')
    .option('--all', 'the latest requests, answered ones too')
    .option('--json', 'as JSON')
    .action((options: Json & { due?: boolean; all?: boolean }) => open((ctx) => list(ctx, options)));
  const ofRequest = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .argument('<receipt>', 'the number of the receipt, YS…', receiptArgument('YS'))
      .option('--json', 'as JSON');
  ofRequest('show', 'show everything about a request').action((receipt: string, options: Json) =>
    open((ctx) => show(ctx, receipt, options)),
  );
  ofRequest('answer', 'record that you answered the request')
    .requiredOption('--text <text>', 'what was done and answered', spokenText)
    .action((receipt: string, options: Json & { text: string }) => open((ctx) => answer(ctx, receipt, options)));
}

async function list(ctx: Ctx, options: Json & { due?: boolean; all?: boolean }): Promise<void> {
  if (options.due && options.all) throw new OperatorError('Choose one of --due and --all.', EXIT.usage);
  const requests = await listRequests(ctx, options.due ? 'due' : options.all ? 'every' : 'open');
  const { open: waiting, due } = await countRequests(ctx);
  const what = options.due ? 'due' : options.all ? 'requests' : 'waiting';
  const total = options.due ? due : options.all ? await countAllRequests(ctx.db) : waiting;
  const end = `${total} ${what}${shownOf(requests.length, total, options.all ? 'latest' : 'first due')}`;
  printResult(options, { requests, total }, [...requests.map(lineOf), end].join('\n'));
}

const lineOf = (request: ShownRequest): string =>
  `${request.receiptNo}  ${clockOf(request)}  ${PRIVACY_KINDS[request.kind]}` +
  (request.userId === null ? '' : `, user ${request.userId}`);

function clockOf({ answeredAt, workingDaysLeft: left, dueOn }: ShownRequest): string {
  if (answeredAt || left === null) return `answered on ${answeredAt ? dayText(answeredAt) : ''}`;
  if (left < 0) return `OVERDUE since ${dueOn}`;
  if (left === 0) return `due ${dueOn} (today)`;
  return `due ${dueOn} (${left} working ${left === 1 ? 'day' : 'days'} left)`;
}

async function show(ctx: Ctx, receipt: string, options: Json): Promise<void> {
  const request = await findRequest(ctx, receipt);
  if (!request) throw new OperatorError(`There is no request ${receipt}.`, EXIT.data);
  const words = [
    lineOf(request),
    `received ${dayText(request.receivedAt)}`,
    'contact:',
    indented(request.contact),
    'content:',
    indented(request.content),
    ...(request.answeredAt ? ['answer:', indented(request.answer)] : []),
  ];
  printResult(options, { request }, words.join('\n'));
}

async function answer(ctx: Ctx, receipt: string, options: Json & { text: string }): Promise<void> {
  if (!(await answerRequest(ctx, receipt, options.text)))
    throw new OperatorError(`No open request has the number ${receipt}. Nothing changed.`, EXIT.data);
  printResult(options, { receipt, state: 'answered' }, `The request ${receipt} is answered.`);
}

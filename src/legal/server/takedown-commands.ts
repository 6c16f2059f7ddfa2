import { Option, type Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { workingDaysLeft } from '../../platform/working-days.ts';
import { commandGroup, EXIT, OperatorError, printResult, type Json } from '../../platform/command-line.ts';
import { RIGHTS } from '../rules.ts';
import { indented, receiptArgument, shownOf, spokenText } from './command-texts.ts';
import { findReport, listReports, listShownVersions, type ShownReport } from './infringements.ts';
import {
  acceptReport,
  counterReport,
  recordSuit,
  rejectReport,
  RESTORE_CAUSES,
  restorableAt,
  restoreReport,
  type RestoreCause,
  type WrongState,
} from './takedowns.ts';

/** Adds `ceku takedown list|show|accept|reject|counter|sued|restore`. */
export function takedownCommands(program: Command, open: Open): void {
  const group = commandGroup(program, 'takedown', 'reports of infringement, and the documents taken down by them');
  const ofReport = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .argument('<receipt>', 'the number of the receipt, QS…', receiptArgument('QS'))
      .option('--json', 'as JSON');
  group
    .command('list')
    .description('list the reports that wait for you: new ones, and those with a counter-notice')
    .option('--all', 'the latest reports in every state')
    .option('--json', 'as JSON')
    .action((options: Json & { all?: boolean }) => open((ctx) => list(ctx, options)));
  ofReport('show', 'show everything about a report, and other versions of its document').action(
    (receipt: string, options: Json) => open((ctx) => show(ctx, receipt, options)),
  );
  ofReport('accept', 'take the document down: it leaves every list at once, its page answers 410').action(
    (receipt: string, options: Json) => open((ctx) => accept(ctx, receipt, options)),
  );
  ofReport('reject', 'close the report without taking the document down')
    .requiredOption('--reason <text>', 'what is missing or why; write it to the sender', spokenText)
    .action((receipt: string, options: Json & { reason: string }) => open((ctx) => reject(ctx, receipt, options)));
  ofReport('counter', 'record the counter-notice of the provider of the document')
    .requiredOption('--text <text>', 'what the provider declares; pass it on to the sender of the report', spokenText)
    .action((receipt: string, options: Json & { text: string }) => open((ctx) => counter(ctx, receipt, options)));
  ofReport(
    'sued',
    'record that the sender answered the counter-notice by a complaint or a suit: the document stays down',
  )
    .requiredOption('--text <text>', 'the authority or court, and the number of the case', spokenText)
    .action((receipt: string, options: Json & { text: string }) => open((ctx) => sued(ctx, receipt, options)));
  ofReport('restore', 'publish the document again')
    .addOption(new Option('--because <cause>', 'why').choices(RESTORE_CAUSES).makeOptionMandatory())
    .action((receipt: string, options: Json & { because: RestoreCause }) =>
      open((ctx) => restore(ctx, receipt, options)),
    );
}

async function list(ctx: Ctx, options: Json & { all?: boolean }): Promise<void> {
  const { reports, total } = await listReports(ctx, { isEvery: options.all === true });
  const today = dayText(new Date(ctx.clock.now()));
  const lines = [
    ...reports.map((report) => `${lineOf(report)}${ageOf(report, today)}`),
    `${total} ${options.all ? 'reports' : 'waiting'}${shownOf(reports.length, total, options.all ? 'latest' : 'oldest')}`,
  ];
  printResult(options, { reports, total }, lines.join('\n'));
}

const lineOf = (report: ShownReport): string =>
  `${report.receiptNo}  ${report.state}${report.suedAt ? ', sued' : ''}, received ${dayText(report.receivedAt)}  ${RIGHTS[report.kind]}, ${report.owner}\n` +
  `    document ${report.documentId} (${report.documentState})  ${report.documentName}`;

/**
 * The law asks for an answer without delay and names no day, so the list says how long a new report has waited. Of a countered one it says from which
 * day on its document may be restored.
 */
function ageOf({ state, receivedAt, counteredAt }: ShownReport, today: string): string {
  if (state === 'countered' && counteredAt)
    return `\n    may be restored from ${dayText(restorableAt(counteredAt))} on`;
  if (state !== 'received') return '';
  const days = workingDaysLeft(dayText(receivedAt), today);
  return days === 0 ? '' : `\n    WAITS for ${days} working ${days === 1 ? 'day' : 'days'}`;
}

async function show(ctx: Ctx, receipt: string, options: Json): Promise<void> {
  const report = await findReport(ctx, receipt);
  if (!report) throw new OperatorError(`There is no report ${receipt}.`, EXIT.data);
  const versions = await listShownVersions(ctx, report.documentId);
  const { reason, counterNotice, suit, decidedAt, counteredAt, suedAt, restoredAt } = report;
  const words = [
    lineOf(report),
    ...versions.map(({ id, name }) => `    another version of it is published: document ${id}  ${name}`),
    'contact:',
    indented(report.contact),
    'proof:',
    indented(report.proof),
    'statement:',
    indented(report.statement),
    ...(decidedAt ? [`${report.state === 'rejected' ? 'rejected' : 'accepted'} on ${dayText(decidedAt)}`] : []),
    ...(counteredAt ? [`counter-notice of ${dayText(counteredAt)}:`, indented(counterNotice)] : []),
    ...(suedAt ? [`complaint or suit, recorded on ${dayText(suedAt)}:`, indented(suit)] : []),
    ...(restoredAt ? [`restored on ${dayText(restoredAt)}`] : []),
    ...(reason ? [`reason: ${reason}`] : []),
  ];
  printResult(options, { report, versions }, words.join('\n'));
}

function refuseState(receipt: string, { state }: WrongState): never {
  const why = state === null ? `There is no report ${receipt}.` : `The report ${receipt} is ${state}.`;
  throw new OperatorError(`${why} Nothing changed.`, EXIT.data);
}

async function accept(ctx: Ctx, receipt: string, options: Json): Promise<void> {
  const result = await acceptReport(ctx, receipt);
  if (result.outcome === 'wrong-state') return refuseState(receipt, result);
  const { documentId } = result;
  const versions = await listShownVersions(ctx, documentId);
  const words = [
    `Document ${documentId} is taken down. Tell the sender, and pass the report on to the provider of the document.`,
    ...versions.map(({ id, name }) => `Another version of it stays published: document ${id}  ${name}`),
  ];
  printResult(options, { receipt, state: 'accepted', documentId, versions }, words.join('\n'));
}

async function reject(ctx: Ctx, receipt: string, options: Json & { reason: string }): Promise<void> {
  const result = await rejectReport(ctx, receipt, options.reason);
  if (result.outcome === 'wrong-state') return refuseState(receipt, result);
  printResult(
    options,
    { receipt, state: 'rejected' },
    `The report ${receipt} is rejected. Write the reason to its sender.`,
  );
}

async function counter(ctx: Ctx, receipt: string, options: Json & { text: string }): Promise<void> {
  const result = await counterReport(ctx, receipt, options.text);
  if (result.outcome === 'wrong-state') return refuseState(receipt, result);
  if (result.outcome === 'sued')
    throw new OperatorError(
      `The report ${receipt} has a counter-notice, and its sender sued: ceku takedown show ${receipt}. Nothing changed.`,
      EXIT.data,
    );
  const day = dayText(result.restorableAt);
  printResult(
    options,
    { receipt, state: 'countered', restorableOn: day },
    `Recorded. Pass it on to the sender of the report. Unless they complain to an authority or sue, from ${day} on:\n` +
      `ceku takedown restore ${receipt} --because counter-notice\n` +
      `If they do: ceku takedown sued ${receipt} --text <text>`,
  );
}

async function sued(ctx: Ctx, receipt: string, options: Json & { text: string }): Promise<void> {
  const result = await recordSuit(ctx, receipt, options.text);
  if (result.outcome === 'wrong-state') return refuseState(receipt, result);
  printResult(
    options,
    { receipt, state: 'accepted' },
    `Recorded. The document stays down. Tell its provider. When the case ends for the provider:\n` +
      `ceku takedown restore ${receipt} --because mistake`,
  );
}

async function restore(ctx: Ctx, receipt: string, options: Json & { because: RestoreCause }): Promise<void> {
  const result = await restoreReport(ctx, receipt, options.because);
  switch (result.outcome) {
    case 'wrong-state':
      return refuseState(receipt, result);
    case 'no-counter-notice':
      throw new OperatorError(
        `The report has no counter-notice: ceku takedown counter ${receipt} --text <text>. Nothing changed.`,
        EXIT.data,
      );
    case 'sued':
      throw new OperatorError(
        'The sender of the report sued: when the case ends for the provider, --because withdrawn or mistake. Nothing changed.',
        EXIT.data,
      );
    case 'too-early':
      throw new OperatorError(
        `The sender of the report may still sue: restore it from ${dayText(result.restorableAt)} on. Nothing changed.`,
        EXIT.data,
      );
    case 'done': {
      const { documentId, state } = result;
      printResult(
        options,
        { receipt, state: 'restored', documentId, document: state },
        `Document ${documentId} ${AFTER[state]}`,
      );
    }
  }
}

const AFTER = {
  published: 'is published again.',
  hidden: 'stays hidden: you had hidden it for another reason (ceku document show, restore).',
  held: 'stays down: another accepted report names it (ceku takedown list --all).',
} as const;

import { InvalidArgumentError, type Command } from 'commander';
import type { Ctx, Open } from '../../../context.ts';
import { EXIT, OperatorError, printResult, type Json } from '../../../platform/command-line.ts';
import { yuanText } from '../../../prices/server/price-list.ts';
import { invoiceStateOf, isInvoiceNo } from '../../invoice-rules.ts';
import { answerInvoice, voidInvoice, type InvoiceAnswer } from './invoices.ts';
import { selectInvoices, type InvoiceLine } from '../store/invoices.ts';

const MAX_REASON = 200;

/** Adds `list|answer|refuse|void` to `ceku order invoice`. `ofOrder` begins a command that takes the number of an order. */
export function invoiceCommands(
  group: Command,
  open: Open,
  ofOrder: (name: string, description: string) => Command,
): void {
  group
    .command('list')
    .description('list the requests that wait for an answer, and invoices of refunded orders')
    .option('--all', 'the latest requests in every state')
    .option('--json', 'as JSON')
    .action((options: Json & { all?: boolean }) => open((ctx) => list(ctx, options)));
  ofOrder(
    'answer',
    'record that the invoice of an order was issued and sent to the buyer; again with another number to correct a mistyped one',
  )
    .requiredOption('--number <digits>', 'the number of the invoice: 8, 12 or 20 digits', invoiceNumber)
    .action((number: string, options: Json & { number: string }) =>
      open((ctx) => answer(ctx, number, options, { invoiceNo: options.number })),
    );
  ofOrder('refuse', 'refuse the request; the buyer reads the reason, and may correct it and ask again')
    .requiredOption('--reason <text>', 'what has to be corrected, in Chinese: the buyer reads it', reasonText)
    .action((number: string, options: Json & { reason: string }) =>
      open((ctx) => answer(ctx, number, options, { reason: options.reason })),
    );
  ofOrder('void', 'record that the invoice of a refunded order was voided with the tax authority (红冲)')
    .requiredOption('--note <text>', 'the number of the red invoice, or what you did', reasonText)
    .action((number: string, options: Json & { note: string }) => open((ctx) => voidOne(ctx, number, options)));
}

function invoiceNumber(text: string): string {
  if (isInvoiceNo(text)) return text;
  throw new InvalidArgumentError('The number of an invoice has 8, 12 or 20 digits.');
}

function reasonText(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '' && [...trimmed].length <= MAX_REASON && !/\p{Cc}/u.test(trimmed)) return trimmed;
  throw new InvalidArgumentError(`It must be one line of 1 to ${MAX_REASON} characters.`);
}

async function list(ctx: Ctx, options: Json & { all?: boolean }): Promise<void> {
  const invoices = await selectInvoices(ctx.db, { isEvery: options.all === true });
  const lines = [...invoices.map(lineText), `${invoices.length} ${options.all ? 'requests' : 'waiting'}`];
  printResult(options, { invoices }, lines.join('\n'));
}

function lineText(invoice: InvoiceLine): string {
  const { outTradeNo, item, paidFen, kind, title, taxNo, email } = invoice;
  const who = kind === 'company' ? `${title}  ${taxNo}` : `${title}  (person)`;
  return `${outTradeNo}  ${item}  ${yuanText(paidFen ?? 0)}  ${who}  ${email}\n    ${stateText(invoice)}`;
}

/** Returns the state, and for an open one the command that ends it. */
function stateText({ outTradeNo, state, status, invoiceNo, reason, note }: InvoiceLine): string {
  switch (invoiceStateOf(state, status)) {
    case 'requested':
      return `ceku order invoice answer ${outTradeNo} --number <digits>, or refuse --reason <text>`;
    case 'refused':
      return `refused: ${reason}`;
    case 'cancelled':
      return 'cancelled: the order is refunded';
    case 'voided':
      return `${invoiceNo}, voided: ${note}`;
    case 'issued':
      return status === 'fulfilled'
        ? `issued: ${invoiceNo}${note && ` (${note})`}`
        : `issued: ${invoiceNo}${note && ` (${note})`}, and the order is refunded: void it, then ceku order invoice void ${outTradeNo} --note <text>`;
  }
}

const WHY_NOT: Record<Exclude<InvoiceAnswer, 'done' | 'to-void' | 'corrected'>, string> = {
  refunded: 'The order is not paid any more: no invoice may be issued for it. Nothing changed.',
  'same-number': 'The invoice has that number already. Nothing changed.',
  'not-requested': 'No request for an invoice of that order waits for an answer. Nothing changed.',
};

async function answer(
  ctx: Ctx,
  number: string,
  options: Json,
  decision: { invoiceNo: string } | { reason: string },
): Promise<void> {
  const outcome = await answerInvoice(ctx, number, decision);
  if (outcome === 'refunded' || outcome === 'same-number' || outcome === 'not-requested')
    throw new OperatorError(WHY_NOT[outcome], EXIT.data);
  const state = 'invoiceNo' in decision ? 'issued' : 'refused';
  const words = {
    done: `The request for ${number} is ${state}; the buyer sees it.`,
    'to-void': `The request for ${number} is issued. The order is refunded: void the invoice (红冲), then ceku order invoice void ${number} --note <text>.`,
    corrected: `The number of the invoice of ${number} is now ${'invoiceNo' in decision ? decision.invoiceNo : ''}; the buyer sees it.`,
  };
  printResult(options, { number, state, ...decision }, words[outcome]);
}

async function voidOne(ctx: Ctx, number: string, options: Json & { note: string }): Promise<void> {
  const outcome = await voidInvoice(ctx, number, options.note);
  if (outcome === 'not-refunded')
    throw new OperatorError('The order is not refunded: its invoice stands. Nothing changed.', EXIT.data);
  if (outcome === 'not-issued')
    throw new OperatorError('That order has no issued invoice. Nothing changed.', EXIT.data);
  printResult(options, { number, state: 'voided' }, `The invoice of ${number} is voided.`);
}

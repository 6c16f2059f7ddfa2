import { transact, type Ctx, type TransactionCtx } from '../../context.ts';
import { findDocument } from '../../library/server/catalogue.ts';
import { hideDocument, restoreDocument } from '../../library/server/documents.ts';
import { startOfNextDay } from '../../library/rules.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { COUNTER_NOTICE_DAYS, type ReportState } from '../rules.ts';
import { lockReportsOfDocument, updateReport, type Report } from './store-reports.ts';

/**
 * The operator's decisions about reports of infringement. A decision locks the reports about its document, so that two of them never
 * decide about one document at once.
 */

/** A report of another state than the decision needs; `state` is null for an unknown receipt. */
export type WrongState = { outcome: 'wrong-state'; state: ReportState | null };

/** Reports in these states keep their document down. */
const HOLDING: readonly ReportState[] = ['accepted', 'countered'];

/** Takes the document of a report down: it leaves every list and search with this transaction, and its page answers 410. */
export function acceptReport(
  ctx: Ctx,
  receiptNo: string,
): Promise<{ outcome: 'done'; documentId: number } | WrongState> {
  return decide(ctx, receiptNo, ['received'], async (tx, report, others) => {
    const holding = others.find(({ state }) => HOLDING.includes(state));
    const reason = (await findDocument(tx, report.documentId))?.hiddenReason ?? null;
    const hiddenBefore = holding && reason === 'copyright' ? holding.hiddenBefore : reason;
    // A document that the operator hid as illegal stays hidden as illegal, also after the report has ended.
    if (reason !== 'illegal') await hideDocument(tx, report.documentId, 'copyright');
    await updateReport(tx.db, report.id, { state: 'accepted', hiddenBefore, decidedAt: new Date(tx.clock.now()) });
    return { outcome: 'done', documentId: report.documentId };
  });
}

/** Closes a report without taking its document down. `reason` is what the sender is told. */
export function rejectReport(ctx: Ctx, receiptNo: string, reason: string): Promise<{ outcome: 'done' } | WrongState> {
  return decide(ctx, receiptNo, ['received'], async (tx, report) => {
    await updateReport(tx.db, report.id, { state: 'rejected', reason, decidedAt: new Date(tx.clock.now()) });
    return { outcome: 'done' };
  });
}

type Countered = { outcome: 'done'; restorableAt: Date } | { outcome: 'sued' } | WrongState;

/**
 * Records what the provider of a document declares against an accepted report, once (`sued`: after the suit that followed). The
 * document stays down until it is restored.
 */
export function counterReport(ctx: Ctx, receiptNo: string, counterNotice: string): Promise<Countered> {
  return decide<Countered>(ctx, receiptNo, ['accepted'], async (tx, report) => {
    if (report.suedAt !== null) return { outcome: 'sued' };
    const counteredAt = new Date(tx.clock.now());
    await updateReport(tx.db, report.id, { state: 'countered', counterNotice, counteredAt });
    return { outcome: 'done', restorableAt: restorableAt(counteredAt) };
  });
}

/** Records that the sender of a report complained to an authority or sued: the counter-notice no longer brings the document back. */
export function recordSuit(ctx: Ctx, receiptNo: string, suit: string): Promise<{ outcome: 'done' } | WrongState> {
  return decide(ctx, receiptNo, ['countered'], async (tx, report) => {
    await updateReport(tx.db, report.id, { state: 'accepted', suit, suedAt: new Date(tx.clock.now()) });
    return { outcome: 'done' };
  });
}

/**
 * When a document may be restored on a counter-notice (电子商务法 43): after whole days, without the day on which it was recorded
 * (民法典 201).
 */
export const restorableAt = (counteredAt: Date): Date =>
  new Date(startOfNextDay(counteredAt.getTime() + COUNTER_NOTICE_DAYS * DAY_MS));

/** Why a document is restored: its provider's counter-notice, the sender withdrew the report, or accepting it was a mistake. */
export const RESTORE_CAUSES = ['counter-notice', 'withdrawn', 'mistake'] as const;
export type RestoreCause = (typeof RESTORE_CAUSES)[number];

type Restored =
  | { outcome: 'done'; documentId: number; state: 'published' | 'hidden' | 'held' }
  | { outcome: 'too-early'; restorableAt: Date }
  | { outcome: 'no-counter-notice' }
  | { outcome: 'sued' }
  | WrongState;

/**
 * Ends the take-down of a report. The document is published again (`published`), unless another accepted report holds it (`held`) or the
 * operator has hidden it for another reason, before or since (`hidden`). On a counter-notice not before its sender has had 15 days to sue, and not
 * after a suit (`sued`).
 */
export function restoreReport(ctx: Ctx, receiptNo: string, cause: RestoreCause): Promise<Restored> {
  return decide<Restored>(ctx, receiptNo, HOLDING, async (tx, report, others) => {
    if (cause === 'counter-notice') {
      if (report.suedAt !== null) return { outcome: 'sued' };
      if (report.state !== 'countered' || !report.counteredAt) return { outcome: 'no-counter-notice' };
      const from = restorableAt(report.counteredAt);
      if (tx.clock.now() < from.getTime()) return { outcome: 'too-early', restorableAt: from };
    }
    const { documentId, hiddenBefore } = report;
    await updateReport(tx.db, report.id, { state: 'restored', reason: cause, restoredAt: new Date(tx.clock.now()) });
    if (others.some(({ state }) => HOLDING.includes(state))) return { outcome: 'done', documentId, state: 'held' };
    // The operator's own decision about the document stays: it was published meanwhile, or hidden for another reason.
    const document = await findDocument(tx, documentId);
    if (document?.state !== 'hidden') return { outcome: 'done', documentId, state: 'published' };
    if (document.hiddenReason !== 'copyright' || document.destroyedAt !== null)
      return { outcome: 'done', documentId, state: 'hidden' };
    if (hiddenBefore !== null) {
      await hideDocument(tx, documentId, hiddenBefore);
      return { outcome: 'done', documentId, state: 'hidden' };
    }
    await restoreDocument(tx, documentId);
    return { outcome: 'done', documentId, state: 'published' };
  });
}

function decide<T>(
  ctx: Ctx,
  receiptNo: string,
  from: readonly ReportState[],
  decision: (tx: TransactionCtx, report: Report, others: Report[]) => Promise<T>,
): Promise<T | WrongState> {
  return transact(ctx, async (tx) => {
    const reports = await lockReportsOfDocument(tx.db, receiptNo);
    const report = reports.find((each) => each.receiptNo === receiptNo);
    if (!report || !from.includes(report.state)) return { outcome: 'wrong-state', state: report?.state ?? null };
    const result = await decision(
      tx,
      report,
      reports.filter(({ id }) => id !== report.id),
    );
    tx.log.info({ receipt: receiptNo, document: report.documentId, result }, 'infringement report decided');
    return result;
  });
}

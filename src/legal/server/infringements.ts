import type { Ctx } from '../../context.ts';
import { findDocument } from '../../library/server/catalogue.ts';
import { listVersions } from '../../library/server/versions/list-versions.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { conflict, invalid } from '../../protocol/envelope.ts';
import type * as contract from '../contract.ts';
import { documentIdIn, isAddressOf, reportErrors, type Right } from '../rules.ts';
import { openContact, receiptOf, refuseTooMany } from './receipts.ts';
import { countReports, insertReport, selectReport, selectReports, type ReportLine } from './store-reports.ts';

/**
 * Records a report of infringement and returns its receipt (C-96). `doc_id` wins over the address. Throws invalid (40) with the field that
 * is missing or wrong, conflict (60) for a document that is down already, tooFrequent (41).
 */
export async function reportInfringement(
  ctx: Ctx,
  input: Parsed<typeof contract.reportInfringement>,
): Promise<Output<typeof contract.reportInfringement>> {
  const { doc_id, ...typed } = input;
  const fields = doc_id > 0 ? { ...typed, doc_url: String(doc_id) } : typed;
  const [error] = reportErrors(fields);
  if (error) throw invalid(error.message, error.field);
  // The address that the reporter has copied: the site may be reached by other names than that of PUBLIC_URL.
  const hosts = [ctx.config.publicUrl ?? '', ctx.request.origin].flatMap((origin) => URL.parse(origin)?.host ?? []);
  if (!isAddressOf(hosts, fields.doc_url))
    throw invalid('这不是本站的网址，请填写本站方案详情页的网址，例如 /detail/123', 'doc_url');
  const document = await findDocument(ctx, documentIdIn(fields.doc_url));
  if (document?.state === 'hidden') throw conflict('这份方案已经下架，无需再次投诉');
  if (document?.state !== 'published') throw invalid('本站没有这份方案，请核对网址', 'doc_url');
  const receipt = receiptOf(ctx, 'QS', fields.contact);
  await refuseTooMany(ctx, 'report', receipt);
  await insertReport(ctx.db, {
    ...receipt,
    documentId: document.id,
    // Safe: reportErrors has compared the text with the names of RIGHTS.
    kind: fields.type as Right,
    owner: fields.owner.replace(/\s+/g, ' '),
    proof: fields.proof,
    statement: fields.statement,
  });
  ctx.log.warn(
    { receipt: receipt.receiptNo, document: document.id },
    'an infringement was reported: ceku takedown list',
  );
  return {
    receipt_no: receipt.receiptNo,
    create_time: Math.floor(receipt.receivedAt.getTime() / 1_000),
    doc_name: document.name,
  };
}

/** A report as the operator reads it, with the means of contact in the clear. */
export type ShownReport = Omit<ReportLine['report'], 'contactSealed' | 'addressIndex' | 'networkIndex'> & {
  contact: string;
  documentName: string;
  documentState: ReportLine['documentState'];
};

const EVERY_STATE = ['received', 'accepted', 'countered', 'rejected', 'restored'] as const;
const WAITING_STATES = ['received', 'countered'] as const;

/**
 * Returns reports, the oldest first, and how many there are: at most 500 of those that the operator has to do something about, the
 * oldest of them, or the latest of every state.
 */
export async function listReports(
  ctx: Ctx,
  { isEvery }: { isEvery: boolean },
): Promise<{ reports: ShownReport[]; total: number }> {
  const states = isEvery ? EVERY_STATE : WAITING_STATES;
  const [lines, total] = await Promise.all([
    selectReports(ctx.db, states, { isLatest: isEvery }),
    countReports(ctx.db, states),
  ]);
  return { reports: lines.map((line) => toShown(ctx, line)), total };
}

/** Counts the reports that the operator has to do something about. */
export const countWaitingReports = (ctx: Ctx): Promise<number> => countReports(ctx.db, WAITING_STATES);

export async function findReport(ctx: Ctx, receiptNo: string): Promise<ShownReport | null> {
  const line = await selectReport(ctx.db, receiptNo);
  return line && toShown(ctx, line);
}

/** Lists the published documents with another version of a document's file: a take-down leaves them shown. */
export async function listShownVersions(ctx: Ctx, documentId: number): Promise<{ id: number; name: string }[]> {
  const document = await findDocument(ctx, documentId);
  const versions = document ? await listVersions(ctx, document.fileId) : [];
  return versions
    .filter(({ id, state }) => id !== documentId && state === 'published')
    .map(({ id, name }) => ({ id, name }));
}

function toShown(ctx: Ctx, { report, ...document }: ReportLine): ShownReport {
  const { contactSealed, addressIndex: _address, networkIndex: _network, ...facts } = report;
  return { ...facts, ...document, contact: openContact(ctx, contactSealed) };
}

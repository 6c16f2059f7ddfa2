import type { PersonalData } from '../../accounts/server/personal-data.ts';
import type { Ctx } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { workingDayAfter, workingDaysLeft } from '../../platform/working-days.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { invalid } from '../../protocol/envelope.ts';
import type * as contract from '../contract.ts';
import { ANSWER_WORKING_DAYS, privacyErrors, type PrivacyKind } from '../rules.ts';
import { openContact, receiptOf, refuseTooMany } from './receipts.ts';
import {
  countOpenRequests,
  forgetUser,
  insertRequest,
  selectLatestRequests,
  selectOpenRequests,
  selectRequest,
  selectRequestsOf,
  updateAnswer,
  type PrivacyRequest,
} from './store-requests.ts';

/**
 * Records a request about personal data and returns its receipt with the last day of the answer (C-105). Throws invalid (40) with the field
 * that is missing or wrong, tooFrequent (41).
 */
export async function requestPrivacy(
  ctx: Ctx,
  input: Parsed<typeof contract.requestPrivacy>,
): Promise<Output<typeof contract.requestPrivacy>> {
  const [error] = privacyErrors(input);
  if (error) throw invalid(error.message, error.field);
  const receipt = receiptOf(ctx, 'YS', input.contact);
  await refuseTooMany(ctx, 'request', receipt);
  const dueOn = workingDayAfter(dayText(receipt.receivedAt), ANSWER_WORKING_DAYS);
  await insertRequest(ctx.db, {
    ...receipt,
    userId: ctx.session?.userId ?? null,
    // Safe: privacyErrors has compared the text with the names of PRIVACY_KINDS.
    kind: input.type as PrivacyKind,
    content: input.content,
    dueOn,
  });
  ctx.log.warn({ receipt: receipt.receiptNo, dueOn }, 'a request about personal data was received: ceku privacy list');
  return {
    receipt_no: receipt.receiptNo,
    create_time: Math.floor(receipt.receivedAt.getTime() / 1_000),
    due_date: dueOn,
  };
}

/** A request as the operator reads it. `workingDaysLeft` is 0 on the last day, -1 when that day has passed, null once answered. */
export type ShownRequest = Omit<PrivacyRequest, 'contactSealed' | 'addressIndex' | 'networkIndex'> & {
  contact: string;
  workingDaysLeft: number | null;
};

/** Requests whose last day is as near as this many days are due. */
const DUE_DAYS = 3;

/** Returns the requests that wait for an answer, the first due first: all, or those due within three days or overdue; or those of every state. */
export async function listRequests(ctx: Ctx, which: 'open' | 'due' | 'every'): Promise<ShownRequest[]> {
  const until = dayText(new Date(ctx.clock.now() + DUE_DAYS * DAY_MS));
  const rows =
    which === 'every'
      ? await selectLatestRequests(ctx.db)
      : await selectOpenRequests(ctx.db, which === 'due' ? until : null);
  return rows.map((row) => toShown(ctx, row));
}

/** Counts the requests that wait for an answer: all, those due within three days or overdue, and those that are overdue. */
export function countRequests(ctx: Ctx): Promise<{ open: number; due: number; overdue: number }> {
  const now = ctx.clock.now();
  return countOpenRequests(ctx.db, {
    dueUntil: dayText(new Date(now + DUE_DAYS * DAY_MS)),
    today: dayText(new Date(now)),
  });
}

export async function findRequest(ctx: Ctx, receiptNo: string): Promise<ShownRequest | null> {
  const row = await selectRequest(ctx.db, receiptNo);
  return row && toShown(ctx, row);
}

/** Records the answer that the operator has sent; false when no open request has that number. */
export async function answerRequest(ctx: Ctx, receiptNo: string, answer: string): Promise<boolean> {
  const isDone = await updateAnswer(ctx.db, receiptNo, { answer, answeredAt: new Date(ctx.clock.now()) });
  if (isDone) ctx.log.info({ receipt: receiptNo }, 'privacy request answered by the operator');
  return isDone;
}

function toShown(
  ctx: Ctx,
  { contactSealed, addressIndex: _addressIndex, networkIndex: _network, ...facts }: PrivacyRequest,
): ShownRequest {
  const today = dayText(new Date(ctx.clock.now()));
  const left = facts.dueOn < today ? -1 : workingDaysLeft(today, facts.dueOn);
  return { ...facts, contact: openContact(ctx, contactSealed), workingDaysLeft: facts.answeredAt ? null : left };
}

/** Personal data: the requests that a user sent while logged in. Reports of infringement name no account. */
export const legalPersonalData: PersonalData = {
  async collect(ctx, userId) {
    const rows = await selectRequestsOf(ctx.db, userId);
    return {
      privacy_requests: rows.map(
        ({ id: _id, userId: _userId, contactSealed, addressIndex: _address, networkIndex: _network, ...facts }) => ({
          ...facts,
          contact: openContact(ctx, contactSealed),
        }),
      ),
    };
  },
  erase: (ctx, userId) => forgetUser(ctx.db, userId),
};

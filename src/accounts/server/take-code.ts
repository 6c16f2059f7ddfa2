import { timingSafeEqual } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { SMS_CODE_SECONDS } from '../contract.ts';
import { wrongCode, type CodePurpose } from '../rules.ts';
import { phoneIndex } from './phones.ts';
import { tryCode, useCode } from './store-codes.ts';

/** What is kept of a code: bound to its phone and to the site's key, so that the table alone is no list of codes. */
export const codeHashOf = (ctx: Ctx, index: Buffer, code: string) =>
  ctx.signer.sign('sms-code', index.toString('hex'), code);

/**
 * Uses the newest code of a phone up: once, within five minutes, for its purpose, at the first five tries (INV-42).
 * Throws wrongCode (42) for anything else, the same whatever was wrong.
 */
export const takeCode = (ctx: Ctx, given: GivenCode): Promise<void> => takeCodes(ctx, [given]);

export type GivenCode = {
  phone: string;
  code: string;
  purpose: CodePurpose;
  /** Where a form asks for two codes: the field of this one. */
  field?: string;
};

/** Several codes of one form: all are looked at before the first is used up, so that a typing error costs no message. */
export async function takeCodes(ctx: Ctx, given: GivenCode[]): Promise<void> {
  const now = ctx.clock.now();
  const right: { id: number; given: GivenCode }[] = [];
  for (const one of given) {
    const index = phoneIndex(ctx, one.phone);
    const tried = await tryCode(ctx.db, index, one.purpose, new Date(now - SMS_CODE_SECONDS * 1000));
    if (!tried || !isEqual(tried.codeHash, codeHashOf(ctx, index, one.code))) throw wrongCode(one.field);
    right.push({ id: tried.id, given: one });
  }
  for (const { id, given: one } of right) {
    if (!(await useCode(ctx.db, id, new Date(now)))) throw wrongCode(one.field);
  }
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

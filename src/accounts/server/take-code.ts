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
export async function takeCode(ctx: Ctx, given: { phone: string; code: string; purpose: CodePurpose }): Promise<void> {
  const index = phoneIndex(ctx, given.phone);
  const now = ctx.clock.now();
  const tried = await tryCode(ctx.db, index, given.purpose, new Date(now - SMS_CODE_SECONDS * 1000));
  if (!tried || !isEqual(tried.codeHash, codeHashOf(ctx, index, given.code))) throw wrongCode();
  if (!(await useCode(ctx.db, tried.id, new Date(now)))) throw wrongCode();
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

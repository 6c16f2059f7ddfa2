import type { Ctx } from '../../context.ts';
import { invalid } from '../../protocol/envelope.ts';
import {
  FRESH_PROOF_SECONDS,
  freshLoginNeeded,
  isLoginPassword,
  isSmsCode,
  scanNeeded,
  wrongPassword,
  type CodePurpose,
} from '../rules.ts';
import { checkPassword } from './passwords.ts';
import { openPhone, phoneIndex } from './phones/phones.ts';
import { requireSession, type Proof } from './sessions.ts';
import { selectProofTimes } from './store-sessions.ts';
import { selectOpenid, type User } from './store.ts';
import { verifyCode } from './phones/sms-codes.ts';

/**
 * Proofs that a caller is the owner of the account, beyond the session. A browser that was left open and a stolen token
 * are sessions too, so calls that change who owns the account, give it up, or hand out everything about it ask for such
 * a proof.
 */

/**
 * Checks the account's password and returns its hash: the proof holds only while that is still the account's password.
 * Throws invalid (40) for an empty password, which counts as no try; wrongPassword, and tooFrequent while the account is locked.
 */
export async function provePassword(ctx: Ctx, userId: number, pwd: string): Promise<string> {
  if (pwd === '') throw invalid('请输入密码', 'pwd');
  const proven = await checkPassword(ctx, { id: userId }, `id:${userId}`, isLoginPassword(pwd) ? pwd : null);
  if (proven === null) throw wrongPassword();
  return proven.passwordHash;
}

/** Returns whether a scan by the account's WeChat has proven this session's owner in the last ten minutes. */
export async function hasFreshScan(ctx: Ctx): Promise<boolean> {
  const times = await selectProofTimes(ctx.db, requireSession(ctx).id);
  return isFresh(ctx, times?.provedAt ?? null);
}

/** Returns whether a scan or the login itself proves the owner of this session: either within the last ten minutes. */
export async function isOwnerPresent(ctx: Ctx): Promise<boolean> {
  const times = await selectProofTimes(ctx.db, requireSession(ctx).id);
  return isFresh(ctx, times?.provedAt ?? null) || isFresh(ctx, times?.createdAt ?? null);
}

/** Proves the owner of an account with neither phone nor password. Throws scanNeeded or freshLoginNeeded (43). */
export async function provePresence(ctx: Ctx, userId: number): Promise<void> {
  if (await isOwnerPresent(ctx)) return;
  throw (await selectOpenid(ctx.db, userId)) === null ? freshLoginNeeded() : scanNeeded();
}

/**
 * Proves the owner by a code to the bound phone; without a phone by the password; without either by a recent login or
 * scan. Returns what a change must find unchanged (holdsProof). Throws invalid (40), wrongCode, wrongPassword, tooFrequent, scanNeeded, freshLoginNeeded.
 */
export async function proveOwner(
  ctx: Ctx,
  user: User,
  given: { code: string; pwd: string; purpose: CodePurpose },
): Promise<Proof> {
  const phone = openPhone(ctx, user.phoneSealed);
  if (phone !== null) {
    if (!isSmsCode(given.code)) throw invalid('请输入6位验证码', 'code');
    await verifyCode(ctx, { phone, code: given.code, purpose: given.purpose });
    return { phoneIndex: phoneIndex(ctx, phone) };
  }
  if (user.hasPassword) return { passwordHash: await provePassword(ctx, user.id, given.pwd) };
  await provePresence(ctx, user.id);
  return {};
}

const isFresh = (ctx: Ctx, at: Date | null) =>
  at !== null && ctx.clock.now() - at.getTime() < FRESH_PROOF_SECONDS * 1000;

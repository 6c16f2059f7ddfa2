import { getMine, type Member } from '../../membership/contract.ts';
import { CODE } from '../../protocol/codes.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { call } from './call.ts';
import { readCredential, takeWithdrawn } from './credentials.ts';

/**
 * Returns the member whom the token belongs to; null when the session is over (call() has then cleared it, §4) or the
 * server cannot be reached. This file is a chunk of its own, loaded with the first question.
 */
export async function askMine(): Promise<Member | null> {
  const reply = await call(getMine, { sid: readCredential('sid') }).catch(() => null);
  return reply?.code === CODE.ok ? reply.data : null;
}

/** Asks the server whether the session is still valid: runs `onMember` when it is, tells the member when it has ended (call() has then cleared it). */
export async function checkSession(onMember: () => unknown): Promise<void> {
  if (await askMine()) onMember();
  else if (readCredential('token') === '') toast.warning('登录状态已失效，请重新登录');
}

/** Returns what the page of a login says: also that it took a requested deletion of the account back (C-74). */
export const saidOfLogin = (): string => (takeWithdrawn() ? '登录成功，注销申请已撤销' : '登录成功');

import { call } from '../../accounts/web/call.ts';
import { CODE } from '../../protocol/codes.ts';
import { listOwned } from '../contract.ts';

/**
 * Asks which documents the member owns; null when the server cannot be asked. A lazily loaded chunk: the contract's
 * schemas load when a member returns to a list.
 */
export async function askOwned(fids: readonly number[]): Promise<number[] | null> {
  const reply = await call(listOwned, { fids }).catch(() => null);
  return reply?.code === CODE.ok ? (reply.data?.fids ?? null) : null;
}

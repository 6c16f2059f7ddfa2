import { call } from '../../accounts/web/call.ts';
import { CODE } from '../../protocol/codes.ts';
import { listOwned } from '../contract.ts';

/** In a module of its own: the contract's schemas come only when a member returns to a list. Null when it cannot be asked. */
export async function askOwned(fids: readonly number[]): Promise<number[] | null> {
  const reply = await call(listOwned, { fids }).catch(() => null);
  return reply?.code === CODE.ok ? (reply.data?.fids ?? null) : null;
}

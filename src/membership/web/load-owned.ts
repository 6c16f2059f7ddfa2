import type { Call } from '../../protocol/call.ts';
import { CODE } from '../../protocol/codes.ts';
import { listOwned } from '../contract.ts';

/**
 * Returns, in a loader, which of the listed documents the reader owns. Returns none for a visitor and when the call
 * fails: a list without these tags is still a list.
 */
export async function loadOwned(call: Call, files: readonly { id: number }[]): Promise<number[]> {
  if (files.length === 0) return [];
  const reply = await call(listOwned, { fids: files.map((file) => file.id) }).catch(() => null);
  return reply?.code === CODE.ok ? (reply.data?.fids ?? []) : [];
}

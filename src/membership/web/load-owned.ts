import type { Call } from '../../protocol/call.ts';
import { CODE } from '../../protocol/codes.ts';
import { listOwned } from '../contract.ts';

/** For loaders: which of the listed documents the reader owns. None for a visitor; a list without its tags is still a list. */
export async function loadOwned(call: Call, files: readonly { id: number }[]): Promise<number[]> {
  if (files.length === 0) return [];
  const reply = await call(listOwned, { fids: files.map((file) => file.id) }).catch(() => null);
  return reply?.code === CODE.ok ? (reply.data?.fids ?? []) : [];
}

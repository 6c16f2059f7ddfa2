import { getMine, type Member } from '../../membership/contract.ts';
import { CODE } from '../../protocol/codes.ts';
import { call } from './call.ts';
import { readCredential } from './credentials.ts';

/**
 * Returns the member whom the token belongs to; null when the session is over (call() has then cleared it, §4) or the
 * server cannot be asked. A lazily loaded chunk.
 */
export async function askMine(): Promise<Member | null> {
  const reply = await call(getMine, { sid: readCredential('sid') }).catch(() => null);
  return reply?.code === CODE.ok ? reply.data : null;
}

import { getMine, type Member } from '../../membership/contract.ts';
import { CODE } from '../../protocol/codes.ts';
import { call } from './call.ts';
import { readCredential } from './credentials.ts';

/** Who the token belongs to; null when it is over (call() has then cleared the session, §4) or cannot be asked. */
export async function askMine(): Promise<Member | null> {
  const reply = await call(getMine, { sid: readCredential('sid') }).catch(() => null);
  return reply?.code === CODE.ok ? reply.data : null;
}

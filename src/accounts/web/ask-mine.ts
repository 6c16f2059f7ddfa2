import { getMine, type Member } from '../../membership/contract.ts';
import { CODE } from '../../protocol/codes.ts';
import { call } from './call.ts';
import { forgetCredentials, readCredential } from './credentials.ts';

/** Who the token belongs to. Null, and the credentials forgotten, on code 2 or 10000 (§4); null when it cannot be asked. */
export async function askMine(): Promise<Member | null> {
  const reply = await call(getMine, { sid: readCredential('sid') }).catch(() => null);
  if (reply?.code === CODE.sessionInvalid || reply?.code === CODE.notLoggedIn) forgetCredentials();
  return reply?.code === CODE.ok ? reply.data : null;
}

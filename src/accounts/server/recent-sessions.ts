import type { Caches } from '../../caches.ts';
import {
  limitedClient,
  sessionSecrets,
  type LimitedClient,
  type ReadHeader,
} from '../../platform/http/client-address.ts';
import { addressGroup } from '../../protocol/address-group.ts';
import { hashToken } from './session-cookies.ts';

/**
 * Returns the client that a request is counted as. A request whose session this process found valid in the last ten
 * minutes is counted under its member and address: other members and made-up tokens from the same office neither delay it
 * nor use up its limits. Nothing is permitted by this: each request still looks its session up in the database.
 */
export function clientOf(caches: Caches, ip: string, header: ReadHeader): LimitedClient {
  for (const secret of sessionSecrets(header)) {
    const hash = hashToken(secret);
    const userId = hash && caches.accounts.recentSessions.get(hash.toString('base64'));
    if (userId) return { key: `${addressGroup(ip)} user ${userId}`, isMember: true };
  }
  return limitedClient(ip, header);
}

/** Notes that the session of this token hash was found valid just now. */
export function rememberSession(caches: Caches, tokenHash: Buffer, userId: number): void {
  caches.accounts.recentSessions.set(tokenHash.toString('base64'), userId);
}

/** Notes that the session of this token hash is unknown or has ended. */
export function forgetSession(caches: Caches, tokenHash: Buffer): void {
  caches.accounts.recentSessions.delete(tokenHash.toString('base64'));
}

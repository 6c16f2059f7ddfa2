import { hash, verify } from '@node-rs/argon2';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import { tooFrequent } from '../../protocol/envelope.ts';

/** argon2id, which is the package's default algorithm; OWASP's figures. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Of a random password nobody knows: checked when there is no account, so that both answers take the same time. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$d4lr8KpZAqzpFMoU/qrTYg$WGVN2AW+QPOclluS6WrpcuCrXFTQ2iY0Iwsc0w8uc64';

/** Hashes at once, and requests waiting for one: each takes 19 MiB and a core for some 20 ms. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 40;
const RETRY_AFTER_SECONDS = 3;

const places = createConcurrencyLimit(MAX_AT_ONCE);

/** Runs `work` in one of the few places there are for hashing. Throws tooFrequent (41) when the queue is full. */
export async function inHashingPlace<T>(work: () => Promise<T>): Promise<T> {
  if (places.waiting() >= MAX_WAITING) throw tooFrequent(RETRY_AFTER_SECONDS);
  return places.run(work);
}

export const hashPassword = (password: string) => inHashingPlace(() => hash(password, COST));

/** False for no account and for no password too, after the same work. Call it inside a hashing place. */
export async function isPassword(passwordHash: string | null, password: string | null): Promise<boolean> {
  const isEqual = await verify(passwordHash ?? NOBODY, password ?? '');
  return isEqual && passwordHash !== null && password !== null;
}

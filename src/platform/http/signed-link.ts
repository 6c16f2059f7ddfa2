import type { Signer } from './signer.ts';

type Link = {
  /** Which sort of link; a signature of one kind is worth nothing for another. */
  kind: string;
  /** Everything the link may open, and to whom. */
  subject: (string | number)[];
  /** Epoch seconds. */
  expires: number;
};

/** Returns the epoch second at which a link that is made `now` (in milliseconds) and lives `seconds` expires. */
export const expiryAfter = (seconds: number, now: number) => Math.floor(now / 1_000) + seconds;

/** Returns the signature that a link carries beside its expiry. */
export function signLink(signer: Signer, { kind, subject, expires }: Link): string {
  return signer.sign(kind, ...subject, expires);
}

/** True for a signature of signLink over the same link that has not expired. `now` in epoch milliseconds. */
export function isLinkValid(signer: Signer, link: Link & { signature: string }, now: number): boolean {
  const { kind, subject, expires, signature } = link;
  if (!Number.isSafeInteger(expires) || expires * 1_000 <= now) return false;
  return signer.verify(signature, kind, ...subject, expires);
}

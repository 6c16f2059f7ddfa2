import { expect, test } from 'vitest';
import { expiryAfter, isLinkValid, signLink, createSigner } from './signer.ts';

const signer = createSigner(Buffer.alloc(32, 1));
const NOW = 1_700_000_000_500;
const link = { kind: 'page', subject: ['media', 3, 7], expires: expiryAfter(600, NOW) };
const signature = signLink(signer, link);

test('a link is valid until the second it expires', () => {
  expect(link.expires).toBe(1_700_000_600);
  expect(isLinkValid(signer, { ...link, signature }, NOW)).toBe(true);
  expect(isLinkValid(signer, { ...link, signature }, link.expires * 1_000 - 1)).toBe(true);
  expect(isLinkValid(signer, { ...link, signature }, link.expires * 1_000)).toBe(false);
});

test.for([
  { kind: 'chart' },
  { subject: ['media', 3] },
  { subject: ['media', 37] },
  { subject: ['media', 3, 8] },
  { subject: ['media', 3, 7, link.expires] },
  { expires: link.expires + 1 },
  { expires: Number.NaN },
  { expires: Number.POSITIVE_INFINITY },
  { signature: '' },
  { signature: `${signature}A` },
])('a link that was changed is not valid: %j', (change) => {
  expect(isLinkValid(signer, { ...link, signature, ...change }, NOW)).toBe(false);
});

test('no expiry that is not a number of seconds is valid, even when it was signed', () => {
  for (const expires of [Number.NaN, Number.POSITIVE_INFINITY, 1.5e20]) {
    const odd = { ...link, expires };
    expect(isLinkValid(signer, { ...odd, signature: signLink(signer, odd) }, NOW)).toBe(false);
  }
});

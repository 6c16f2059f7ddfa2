import { expiryAfter, isLinkValid, signLink } from '../../platform/http/signed-link.ts';
import type { Signer } from '../../platform/http/signer.ts';

/** How long a link works, as often as wanted (C-81). */
export const LINK_SECONDS = 600;
export const DOWNLOAD_PREFIX = '/dl/';

const KIND = 'download-link';
const LINK = /^([A-Za-z0-9_-]{1,100})\.([A-Za-z0-9_-]{24})$/;
const PAYLOAD = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/;

export type DownloadTarget = { documentId: number; fileId: number };

/** A path that leads to one file of one document for ten minutes, and names neither its key nor its owner (INV-33). */
export function makeDownloadLink(signer: Signer, target: DownloadTarget, now: number): string {
  const expires = expiryAfter(LINK_SECONDS, now);
  const payload = Buffer.from(`${target.documentId}.${target.fileId}.${expires}`).toString('base64url');
  return `${DOWNLOAD_PREFIX}${payload}.${signLink(signer, { kind: KIND, subject: [payload], expires })}`;
}

/** What the part after /dl/ leads to; null when it is not ours, was changed, or is over. `now` in epoch ms. */
export function readDownloadLink(signer: Signer, text: string, now: number): DownloadTarget | null {
  const [, payload = '', signature = ''] = LINK.exec(text) ?? [];
  const [, documentId, fileId, expires] = PAYLOAD.exec(Buffer.from(payload, 'base64url').toString()) ?? [];
  // The encoded text is signed, not what it decodes to: two spellings of one payload are two payloads.
  const link = { kind: KIND, subject: [payload], expires: Number(expires), signature };
  if (!documentId || !isLinkValid(signer, link, now)) return null;
  return { documentId: Number(documentId), fileId: Number(fileId) };
}

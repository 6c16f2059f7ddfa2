import type { Signer } from '../../platform/http/signer.ts';

/** How long a link works, as often as wanted (C-81). */
export const LINK_SECONDS = 600;
export const DOWNLOAD_PREFIX = '/dl/';

const PURPOSE = 'download-link';
const LINK = /^([A-Za-z0-9_-]{1,100})\.([A-Za-z0-9_-]{24})$/;
const PAYLOAD = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/;

export type DownloadTarget = { documentId: number; fileId: number };

/** A path that leads to one file of one document for ten minutes, and names neither its key nor its owner (INV-33). */
export function makeDownloadLink(signer: Signer, target: DownloadTarget, now: number): string {
  const expiresAt = Math.floor(now / 1000) + LINK_SECONDS;
  const payload = Buffer.from(`${target.documentId}.${target.fileId}.${expiresAt}`).toString('base64url');
  return `${DOWNLOAD_PREFIX}${payload}.${signer.sign(PURPOSE, payload)}`;
}

/** What the part after /dl/ leads to; null when it is not ours, was changed, or is over. `now` in epoch ms. */
export function readDownloadLink(signer: Signer, text: string, now: number): DownloadTarget | null {
  const [, payload = '', signature = ''] = LINK.exec(text) ?? [];
  // The text itself is signed: two spellings of one payload are two payloads.
  if (!signer.verify(signature, PURPOSE, payload)) return null;
  const [, documentId, fileId, expiresAt] = PAYLOAD.exec(Buffer.from(payload, 'base64url').toString()) ?? [];
  if (Number(expiresAt) * 1000 <= now || !documentId) return null;
  return { documentId: Number(documentId), fileId: Number(fileId) };
}

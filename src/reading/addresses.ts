/**
 * Paths of images about a document, which are no endpoints of the envelope. They are not in the contract, whose schemas
 * the browser would load with them.
 */

/** C-94: the QR code of a document as PNG. */
export const DOCUMENT_QR_PATH = '/api/gz/getBaogaoWxCode';
/** C-115: a JPEG. `fid`, and if wanted `p` and `invite`. */
export const POSTER_PATH = '/api/doc/poster';

/**
 * Returns the path of the detail page as it is shared: with the page that is meant and the member who shares it (C-28,
 * C-90).
 */
export function detailPath(
  documentId: number,
  of: { page?: number | undefined; inviter?: number | undefined },
): string {
  return `/detail/${documentId}${of.inviter ? `?invite=${of.inviter}` : ''}${of.page ? `#p=${of.page}` : ''}`;
}

/** Returns the path of two documents side by side; without the second, of the page that chooses it. */
export const comparePath = (left: number, right = 0): string => `/compare/${left}${right > 0 ? `/${right}` : ''}`;

/** Returns title and link in one line, to be pasted into a chat. */
export const titleWithLink = (name: string, link: string) => `《${name.replace(/\s+/g, ' ').trim()}》 ${link}`;

/**
 * Returns the document id that a detail address names (C-20): the path segment wins, `?fid=` counts only where the
 * segment is missing or not a number. Returns 0 for an address that names none.
 */
export function documentIdOf(segment: string | undefined, fid: string | null): number {
  return idOf(segment) ?? idOf(fid) ?? 0;
}

function idOf(text: string | null | undefined): number | null {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

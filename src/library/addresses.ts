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

/** Returns the path of the picture for shared links that lies beside a cover: a JPEG, since chat apps do not all read WebP and show small pictures small. */
export const sharePicturePath = (coverPath: string) => coverPath.replace(/cover\.webp$/, 'share.jpg');

/** Returns title and link in one line, to be pasted into a chat. */
export const titleWithLink = (name: string, link: string) => `《${name.replace(/\s+/g, ' ').trim()}》 ${link}`;

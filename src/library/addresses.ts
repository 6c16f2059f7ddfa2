import { wholeNumber } from '../protocol/whole-number.ts';

/**
 * Paths of images about a document, which are no endpoints of the envelope. They are not in the contract, whose schemas
 * the browser would load with them.
 */

/** The QR code of a document as PNG (C-94). */
export const DOCUMENT_QR_PATH = '/api/gz/getBaogaoWxCode';
/** The poster of a document as JPEG (C-115). Takes `fid`, and if wanted `p` (page) and `invite`. */
export const POSTER_PATH = '/api/doc/poster';

/** Maximum number of words that are marked on a page, and of the characters of each: chats cut longer addresses. */
const MAX_MARKED = 5;
const MAX_MARKED_CHARACTERS = 20;

/**
 * Returns the path of the detail page as it is shared: with the page that is meant, the words to be marked on it and the member who shares
 * it (C-28, C-90).
 */
export function detailPath(
  documentId: number,
  of: { page?: number | undefined; words?: readonly string[]; inviter?: number | undefined },
): string {
  const words = (of.words ?? []).slice(0, MAX_MARKED).map(encodeURIComponent).join(',');
  const hash = of.page ? `#p=${of.page}${words ? `&w=${words}` : ''}` : '';
  return `/detail/${documentId}${of.inviter ? `?invite=${of.inviter}` : ''}${hash}`;
}

/** Returns the words that the hash of an address marks (`#p=12&w=动线,灯光`); [] for any other hash. */
export function markedWords(hash: string): string[] {
  const [, list = ''] = /^#p=\d{1,5}&w=(.+)$/.exec(hash) ?? [];
  return list
    .split(',')
    .slice(0, MAX_MARKED)
    .map(decoded)
    .filter((word) => word !== '' && [...word].length <= MAX_MARKED_CHARACTERS);
}

/** Decodes a part of an address; "" when it is no text. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

/** Returns the picture for shared links that lies beside a cover: a large JPEG, since chat apps do not all read WebP and show small pictures small. */
export const sharePicture = (coverPath: string, alt: string) => ({
  path: coverPath.replace(/cover\.webp$/, 'share.jpg'),
  width: 1200,
  height: 675,
  alt,
});

/** Returns title and link in one line, to be pasted into a chat. */
export const titleWithLink = (name: string, link: string) => `《${name.replace(/\s+/g, ' ').trim()}》 ${link}`;

/**
 * Returns the document id that a detail address names (C-20): the path segment wins, `?fid=` counts only where the
 * segment is missing or not a number. Returns 0 for an address that names none.
 */
export function documentIdOf(segment: string | undefined, fid: string | null): number {
  return wholeNumber(segment) ?? wholeNumber(fid) ?? 0;
}

/** Returns the path of the documents of a file type (C-27). `page` is counted from 1. */
export const fileTypePath = (id: number, page = 1): string => `/filetype/${id}${page > 1 ? `?page=${page}` : ''}`;

/**
 * Paths of images about a document, which are no endpoints of the envelope. They are not in the contract, whose schemas
 * the browser would load with them.
 */

/** C-94: the QR code of a document as PNG. */
export const DOCUMENT_QR_PATH = '/api/gz/getBaogaoWxCode';
/** C-115: a JPEG. `fid`, and if wanted `p` and `invite`. */
export const POSTER_PATH = '/api/doc/poster';

/** Images about a document, no endpoints of the envelope; apart from the contract, whose schemas the browser need not load for them. */

/** C-94: the QR code of a document as PNG. */
export const DOCUMENT_QR_PATH = '/api/gz/getBaogaoWxCode';
/** C-115: a JPEG. `fid`, and if wanted `p` and `invite`. */
export const POSTER_PATH = '/api/doc/poster';

import type { CreateDocumentInput } from '../../../library/server/create-document.ts';

/** What a manifest, or the name of the file, says about a document. */
export type ManifestFacts = Omit<CreateDocumentInput, 'fileId'>;

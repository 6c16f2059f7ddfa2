import { basename } from 'node:path';
import type { Ctx } from '../../../context.ts';
import type { CreateDocumentInput } from '../../../library/server/documents.ts';
import { NO_LABELS } from '../../../library/taxonomy.ts';
import { titleOfFile } from '../../titles.ts';

/** The facts of a document that a manifest or the name of its file gives. */
export type ManifestFacts = Omit<CreateDocumentInput, 'fileId'>;

/** Returns the facts of the document of the file at `path`, with defaults for what the manifest leaves out. */
export function withDefaults(ctx: Ctx, facts: Partial<ManifestFacts>, path: string): ManifestFacts {
  return {
    keyword: '',
    priceCoins: 0,
    ...NO_LABELS,
    themes: [],
    researcher: '',
    createdAt: new Date(ctx.clock.now()),
    ...facts,
    isNameGuessed: !facts.name,
    name: facts.name || titleOfFile(basename(path)),
  };
}

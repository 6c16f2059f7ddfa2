import type { Ctx } from '../../context.ts';
import { cleanKeywords, cleanLine } from '../rules.ts';
import { idOf, themeIdsOf } from './create-document.ts';
import { fillEmptyLabels } from './store-changes.ts';

/** What a document may be called and filed under where nobody said. */
export type ProposedLabels = {
  /** Replaces the name where nobody gave it and it is still `unless`. */
  name: { text: string; unless: string } | null;
  keywords: string[];
  /** Names of themes and of the industry that exist. */
  themes: string[];
  industry: string | null;
};

/**
 * Fills what is empty of the documents that wait for this file: what the manifest or an operator said stays, and so does everything
 * of documents that were published before. Safe to repeat.
 */
export async function fillLabels(tx: Ctx, fileId: number, labels: ProposedLabels): Promise<void> {
  await fillEmptyLabels(tx.db, fileId, {
    name:
      labels.name && cleanLine(labels.name.text)
        ? { text: cleanLine(labels.name.text), unless: labels.name.unless }
        : null,
    keyword: cleanKeywords(labels.keywords.join(',')),
    themeIds: await themeIdsOf(tx.db, labels.themes),
    industryId: labels.industry === null ? null : await idOf(tx.db, 'industries', labels.industry),
  });
}

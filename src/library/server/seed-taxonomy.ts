import { transact, type Ctx } from '../../context.ts';
import { DOCUMENT_TYPES, INDUSTRIES, THEMES } from '../taxonomy.ts';
import { placeNames } from './store-changes.ts';

/** Makes sure that the words of taxonomy.ts exist, in its order. Runs at every start; changes nothing the second time. */
export function seedTaxonomy(ctx: Ctx): Promise<void> {
  return transact(ctx, async ({ db }) => {
    await placeNames(db, 'industries', INDUSTRIES);
    await placeNames(db, 'themes', THEMES);
    await placeNames(db, 'document_types', DOCUMENT_TYPES);
  });
}

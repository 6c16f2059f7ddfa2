import type { Ctx } from '../../context.ts';
import { DOCUMENT_TYPES, INDUSTRIES, THEMES } from '../taxonomy.ts';
import { selectIndustries, selectThemes, selectTypes } from './store.ts';

/** The words a document can be filed under: those of taxonomy.ts, and what a library has besides. */
export type LabelNames = Record<'industry' | 'theme' | 'type', readonly string[]>;

/** What every library has. */
export const FIRST_LABEL_NAMES: LabelNames = { industry: INDUSTRIES, theme: THEMES, type: DOCUMENT_TYPES };

export async function listLabelNames(ctx: Ctx): Promise<LabelNames> {
  const [industries, themes, types] = await Promise.all([
    selectIndustries(ctx.db),
    selectThemes(ctx.db),
    selectTypes(ctx.db),
  ]);
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
  return { industry: names(industries), theme: names(themes), type: names(types) };
}

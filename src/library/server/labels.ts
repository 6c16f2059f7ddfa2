import { transact, type Ctx } from '../../context.ts';
import type { Db } from '../../platform/db/client.ts';
import type { Named } from '../contract.ts';
import { cleanLine } from '../rules.ts';
import { DOCUMENT_TYPES, INDUSTRIES, THEMES } from '../taxonomy.ts';
import {
  insertMissingNames,
  selectIndustries,
  selectThemes,
  selectTypes,
  upsertNamesInOrder,
  type NameTable,
} from './store-labels.ts';

/** The labels documents are filed under: industry, themes, document type, organization. */

const LABEL_CHARACTERS = 40;
const ORGANIZATION_CHARACTERS = 80;

/** Names of the labels a document can be filed under: those of taxonomy.ts and those a library added. */
export type LabelNames = Record<'industry' | 'theme' | 'type', readonly string[]>;

/** The label names that every library has from its first start. */
export const FIRST_LABEL_NAMES: LabelNames = { industry: INDUSTRIES, theme: THEMES, type: DOCUMENT_TYPES };

/** Lists all industries in the order of the site (C-13). */
export function listIndustries(ctx: Ctx): Promise<Named[]> {
  return selectIndustries(ctx.db);
}

/** Lists all themes in the order of the site (C-23). */
export function listThemes(ctx: Ctx): Promise<Named[]> {
  return selectThemes(ctx.db);
}

export async function listLabelNames(ctx: Ctx): Promise<LabelNames> {
  const [industries, themes, types] = await Promise.all([
    selectIndustries(ctx.db),
    selectThemes(ctx.db),
    selectTypes(ctx.db),
  ]);
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
  return { industry: names(industries), theme: names(themes), type: names(types) };
}

/** Inserts the missing names of taxonomy.ts and puts all of them in its order. Runs at every start; safe to repeat. */
export function seedTaxonomy(ctx: Ctx): Promise<void> {
  return transact(ctx, async ({ db }) => {
    await upsertNamesInOrder(db, 'industries', INDUSTRIES);
    await upsertNamesInOrder(db, 'themes', THEMES);
    await upsertNamesInOrder(db, 'document_types', DOCUMENT_TYPES);
  });
}

/** Returns the ids of names as they are and creates those that are new. Empty names are left out. */
export function labelIdsOf(db: Db, table: NameTable, names: string[]): Promise<Map<string, number>> {
  return insertMissingNames(db, table, names.filter(Boolean));
}

/** Returns the id of a label and creates the label when its name is new; null for an empty name. */
export async function labelIdOf(db: Db, table: NameTable, label: string): Promise<number | null> {
  const name = cleanLine(label, table === 'organizations' ? ORGANIZATION_CHARACTERS : LABEL_CHARACTERS);
  return name ? ((await insertMissingNames(db, table, [name])).get(name) ?? null) : null;
}

/** Returns the ids of themes in the given order, the main theme first, and creates themes whose names are new. */
export async function themeIdsOf(db: Db, labels: string[]): Promise<number[]> {
  const names = new Set(labels.map((label) => cleanLine(label, LABEL_CHARACTERS)).filter(Boolean));
  const ids = await insertMissingNames(db, 'themes', [...names]);
  return [...names].flatMap((name) => ids.get(name) ?? []);
}

export const cleanResearcher = (name: string) => cleanLine(name, LABEL_CHARACTERS);

import { transact, type Ctx } from '../../context.ts';
import type { Db } from '../../platform/db/client.ts';
import type { Named } from '../contract.ts';
import { cleanLine } from '../rules.ts';
import {
  byKind,
  CLOSED_KINDS,
  LABELS,
  SINGLE_KINDS,
  type ClosedKind,
  type LabelIds,
  type LabelKind,
  type SingleKind,
  type SingleLabels,
} from '../taxonomy.ts';
import { insertMissingNames, keepLabels, selectLabels, selectSetKinds, upsertNamesInOrder } from './store-labels.ts';

/** The labels documents are filed under: the kinds are in taxonomy.ts. */

/** Names of the labels of each closed kind: those of taxonomy.ts and those a library added. */
export type LabelNames = Record<ClosedKind, readonly string[]>;

/** The label names that every library has from its first start. */
export const FIRST_LABEL_NAMES: LabelNames = byKind(CLOSED_KINDS, (kind) => LABELS[kind].firstNames);

/** Lists all labels of a kind in the order of the site (C-13, C-23). */
export function listLabels(ctx: Ctx, kind: ClosedKind): Promise<Named[]> {
  return selectLabels(ctx.db, kind);
}

export async function listLabelNames(ctx: Ctx): Promise<LabelNames> {
  const labels = new Map(
    await Promise.all(CLOSED_KINDS.map(async (kind) => [kind, await selectLabels(ctx.db, kind)] as const)),
  );
  return byKind(CLOSED_KINDS, (kind) => (labels.get(kind) ?? []).map(({ name }) => name));
}

/**
 * Inserts the missing names of taxonomy.ts and puts all of them in its order, except of kinds whose list the operator has set
 * (label-list.ts). Runs at every start; safe to repeat.
 */
export function seedTaxonomy(ctx: Ctx): Promise<void> {
  return transact(ctx, async ({ db }) => {
    const isSet = await selectSetKinds(db);
    for (const kind of CLOSED_KINDS) if (!isSet.has(kind)) await upsertNamesInOrder(db, kind, LABELS[kind].firstNames);
  });
}

/** Returns the ids of names as they are and creates those that are new. Empty names are left out. */
export function labelIdsOf(db: Db, kind: LabelKind, names: string[]): Promise<Map<string, number>> {
  return insertMissingNames(db, kind, names.filter(Boolean));
}

/** Returns a label as it is stored: one line of at most the kind's length. */
export const cleanLabel = (kind: LabelKind, label: string) => cleanLine(label, LABELS[kind].maxCharacters);

/** Returns the id of a label and creates the label when its name is new; null for an empty name. */
export async function labelIdOf(db: Db, kind: SingleKind, label: string): Promise<number | null> {
  const name = cleanLabel(kind, label);
  return name ? ((await insertMissingNames(db, kind, [name])).get(name) ?? null) : null;
}

/** Returns the ids of the given labels as fields of a document's row, and creates labels whose names are new. */
export async function labelIdsIn(db: Db, labels: Partial<SingleLabels>): Promise<Partial<LabelIds>> {
  const ids: Partial<LabelIds> = {};
  for (const kind of SINGLE_KINDS) {
    const name = labels[kind];
    if (name !== undefined) ids[`${kind}Id`] = await labelIdOf(db, kind, name);
  }
  return ids;
}

/**
 * Returns the ids of themes in the given order, the main theme first, and creates themes whose names are new. No theme is removed until the
 * transaction ends: nothing else ties the ids of a document to the table of themes.
 */
export async function themeIdsOf(db: Db, labels: string[]): Promise<number[]> {
  const names = new Set(labels.map((label) => cleanLabel('theme', label)).filter(Boolean));
  if (names.size > 0) await keepLabels(db, 'theme');
  const ids = await insertMissingNames(db, 'theme', [...names]);
  return [...names].flatMap((name) => ids.get(name) ?? []);
}

const RESEARCHER_CHARACTERS = 40;

export const cleanResearcher = (name: string) => cleanLine(name, RESEARCHER_CHARACTERS);

import { stringify } from 'yaml';
import { z } from 'zod';
import { transact, type Ctx } from '../../context.ts';
import { FileProblems, parseYaml, repeated, visibleLine } from '../../platform/yaml-file.ts';
import { LABELS } from '../taxonomy.ts';
import {
  countUses,
  deleteLabels,
  insertLabel,
  lockLabels,
  markListSet,
  selectLabels,
  updateLabel,
} from './store-labels.ts';

/** The themes and the industries as YAML files that operators edit, and the difference between a file and the labels on the site. */

/** The kinds of labels whose list the operator sets, with the key of the list in the file. */
export const LABEL_LISTS = { theme: 'themes', industry: 'industries' } as const;
export type ListKind = keyof typeof LABEL_LISTS;

/** `id` is null for a new label. */
type LabelEntry = { id: number | null; name: string };

const MAX_LABELS = 200;

const headOf = (kind: ListKind) => `# The ${LABEL_LISTS[kind]}, in the order in which they are listed.
# A label without id is new; another name at an id renames the label in all its documents. A label that is left out is removed,
# unless documents have it.
# "ceku ${kind} set FILE" shows what a file would change, and with --yes changes it.
`;

const schemaOf = (kind: ListKind) => {
  const label = z.strictObject({
    id: z.number().int().positive().optional(),
    name: visibleLine(LABELS[kind].maxCharacters)
      .min(1, 'must not be empty')
      // Manifests and commands separate labels by these.
      .regex(/^[^;；,，]*$/u, 'must have no comma and no semicolon'),
  });
  return z
    .strictObject({
      [LABEL_LISTS[kind]]: z
        .array(label)
        .min(1, 'must have at least 1 label')
        .max(MAX_LABELS, `must have at most ${MAX_LABELS} labels`),
    })
    .transform((file) => Object.values(file).flat());
};

/** Reads a list of labels from YAML. Throws FileProblems, which names every problem with its line. */
export function parseLabelList(kind: ListKind, text: string): LabelEntry[] {
  const list = parseYaml(text, schemaOf(kind)).map(({ id, name }) => ({ id: id ?? null, name }));
  const problems = [
    ...repeated(list.map(({ name }) => name)).map((name) => `The name ${name} is used twice.`),
    ...repeated(list.flatMap(({ id }) => id ?? [])).map((id) => `The id ${id} is used twice.`),
  ];
  if (problems.length > 0) throw new FileProblems(problems);
  return list;
}

/** Returns the list as YAML that parseLabelList reads. */
export const formatLabelList = (kind: ListKind, list: readonly LabelEntry[]): string =>
  `${headOf(kind)}${stringify({ [LABEL_LISTS[kind]]: list })}`;

/** Returns the labels in their order, each with the number of documents, in any state, that have it. */
export async function listLabelUses(
  ctx: Ctx,
  kind: ListKind,
): Promise<{ id: number; name: string; documents: number }[]> {
  const [labels, uses] = await Promise.all([selectLabels(ctx.db, kind), countUses(ctx.db, kind)]);
  return labels.map((label) => ({ ...label, documents: uses.get(label.id) ?? 0 }));
}

/**
 * Makes `list` the labels of a kind, in that order, and returns what that changes, a line for each change. From then on a start of the site
 * leaves the kind alone. Search hears of renamed labels by triggers (0013, 0140). Throws FileProblems for an id that no label has, and for a
 * label that is left out while documents have it.
 */
export function setLabelList(
  ctx: Ctx,
  kind: ListKind,
  list: readonly LabelEntry[],
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<{ changes: string[]; isDone: boolean }> {
  return transact(ctx, async ({ db, clock }) => {
    await lockLabels(db, kind);
    const before = await selectLabels(db, kind);
    const known = new Map(before.map(({ id, name }, position) => [id, { name, position }]));
    const kept = new Set(list.map(({ id }) => id));
    const gone = before.filter(({ id }) => !kept.has(id));
    const uses = gone.length > 0 ? await countUses(db, kind) : new Map<number, number>();
    const problems = [
      ...list.flatMap(({ id }) =>
        id === null || known.has(id) ? [] : [`The id ${id} is no ${kind}. Leave the id out for a new one.`],
      ),
      ...gone.flatMap(({ id, name }) => {
        const documents = uses.get(id) ?? 0;
        return documents > 0 ? [`${name} (id ${id}) is left out, and ${documents} documents have it.`] : [];
      }),
    ];
    if (problems.length > 0) throw new FileProblems(problems);
    const changes = [
      ...list.flatMap(({ id, name }, position) => {
        const old = id === null ? undefined : known.get(id);
        if (!old) return [`+ ${name}`];
        const differences = [
          ...(old.name === name ? [] : [`name ${old.name} → ${name}`]),
          ...(old.position === position ? [] : [`position ${old.position + 1} → ${position + 1}`]),
        ];
        return differences.length > 0 ? [`~ ${old.name} (id ${id}): ${differences.join(', ')}`] : [];
      }),
      ...gone.map(({ id, name }) => `- ${name} (id ${id})`),
    ];
    if (isDryRun || changes.length === 0) return { changes, isDone: false };
    await deleteLabels(
      db,
      kind,
      gone.map(({ id }) => id),
    );
    // Two labels may exchange their names, which are unique at every moment: renamed ones first give theirs up.
    for (const { id, name } of list)
      if (id !== null && known.get(id)?.name !== name) await updateLabel(db, kind, id, { name: `${id} ` });
    for (const [position, { id, name }] of list.entries()) {
      if (id === null) await insertLabel(db, kind, { name, position });
      else await updateLabel(db, kind, id, { name, position });
    }
    await markListSet(db, kind, new Date(clock.now()));
    return { changes, isDone: true };
  });
}

import { stringify } from 'yaml';
import { z } from 'zod';
import { transact, type Ctx } from '../../context.ts';
import { FileProblems, linesOfEmptied, parseYaml, repeated, visibleLine } from '../../platform/yaml-file.ts';
import { MARK_COLORS, MAX_MARK_CHARACTERS } from '../rules.ts';
import { closeGroups, lockGroups, selectGroupRows, upsertGroup, type GroupRow } from './store.ts';

/** The list of groups as a YAML file that operators edit, and the difference between a file and the open groups. */

/** Facts of a group that the operator sets. `id` is null for a new group. */
type GroupTerms = Pick<GroupRow, 'name' | 'description' | 'mark' | 'color'> & { id: number | null };

const HEAD = ` The groups, in the order in which they are listed.
 name:        what members read; each name once.
 description: one line about the group; may be left out.
 mark:        one or two characters that are drawn as the logo; the first two of the name when left out.
 color:       the colour of the logo: ${MARK_COLORS.join(' ')}.
 A group without id is new. A group that is left out is closed: nobody sees it, and its members and its shelf are kept
 until a file lists its id again.
 "ceku group set FILE" shows what a file would change, and with --yes changes it.
`;

const group = z.strictObject({
  id: z.number().int().positive().optional(),
  name: visibleLine(30).min(2, 'must have at least 2 characters'),
  description: visibleLine(80).default(''),
  mark: visibleLine(10)
    .refine(
      (text) => [...text].length >= 1 && [...text].length <= MAX_MARK_CHARACTERS,
      `must have one or ${MAX_MARK_CHARACTERS} characters`,
    )
    .optional(),
  color: z.enum(MARK_COLORS, `must be one of ${MARK_COLORS.join(' ')}`).optional(),
});
const file = z.strictObject({ groups: z.array(group).max(500, 'must have at most 500 groups') });

/** Reads a list of groups from YAML. Throws FileProblems, which names every problem with its line. */
export function parseGroupList(text: string): GroupTerms[] {
  const list = parseYaml(text, file).groups.map(({ id, name, description, mark, color }, index) => ({
    id: id ?? null,
    name,
    description,
    mark: mark ?? [...name].slice(0, MAX_MARK_CHARACTERS).join(''),
    color: color ?? MARK_COLORS[index % MARK_COLORS.length] ?? MARK_COLORS[0],
  }));
  const problems = [
    ...repeated(list.map(({ name }) => name)).map((name) => `The name ${name} is used twice.`),
    ...repeated(list.flatMap(({ id }) => id ?? [])).map((id) => `The id ${id} is used twice.`),
  ];
  if (problems.length > 0) throw new FileProblems(problems);
  return list;
}

/** Returns the list as YAML that parseGroupList reads. */
export function formatGroupList(list: readonly GroupTerms[]): string {
  const rows = list.map(({ id, ...terms }) => ({ ...(id !== null && { id }), ...terms }));
  return `${HEAD.replace(/^ /gm, '# ')}${stringify({ groups: rows })}`;
}

/** Returns what `to` changes of `from`, a line for each change; an empty list when both say the same. */
function diffGroupLists(from: readonly GroupTerms[], to: readonly GroupTerms[]): string[] {
  const before = new Map(from.map((group, position) => [group.id, { group, position }]));
  const kept = new Set(to.map(({ id }) => id));
  const listed = to.flatMap((wanted, position) => {
    const known = wanted.id === null ? undefined : before.get(wanted.id);
    if (!known) return [`+ ${wanted.name}${wanted.id === null ? '' : ` (id ${wanted.id}) opens again`}`];
    const fields = ['name', 'description', 'mark', 'color'] as const;
    const changes = fields.flatMap((field) =>
      known.group[field] === wanted[field] ? [] : [`${field} ${known.group[field]} → ${wanted[field]}`],
    );
    if (known.position !== position) changes.push(`position ${known.position + 1} → ${position + 1}`);
    return changes.length > 0 ? [`~ ${known.group.name} (id ${wanted.id}): ${changes.join(', ')}`] : [];
  });
  const closed = from.filter(({ id }) => !kept.has(id)).map(({ id, name }) => `- ${name} (id ${id}) is closed`);
  return [...linesOfEmptied(from, to, 'closes all groups'), ...listed, ...closed];
}

/** Returns the open groups in their order. */
export async function findGroupList(ctx: Ctx): Promise<GroupTerms[]> {
  return termsOf(await selectGroupRows(ctx.db, 'open'));
}

const termsOf = (rows: GroupRow[]): GroupTerms[] =>
  rows.map(({ id, name, description, mark, color }) => ({ id, name, description, mark, color }));

/**
 * Makes `list` the open groups, in that order, and returns what it changes, a line for each change. Groups that are left out are closed.
 * Throws FileProblems for an id that no group has.
 */
export function setGroupList(
  ctx: Ctx,
  list: readonly GroupTerms[],
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<{ changes: string[]; isDone: boolean }> {
  return transact(ctx, async ({ db }) => {
    await lockGroups(db);
    const rows = await selectGroupRows(db, 'all');
    const known = new Set(rows.map(({ id }) => id));
    const unknown = list.flatMap(({ id }, index) =>
      id === null || known.has(id) ? [] : [`groups[${index}].id ${id} is no group. Leave the id out for a new group.`],
    );
    if (unknown.length > 0) throw new FileProblems(unknown);
    const changes = diffGroupLists(termsOf(rows.filter(({ isOpen }) => isOpen)), list);
    if (isDryRun || changes.length === 0) return { changes, isDone: false };
    await closeGroups(db);
    for (const [position, terms] of list.entries()) await upsertGroup(db, { ...terms, position });
    return { changes, isDone: true };
  });
}

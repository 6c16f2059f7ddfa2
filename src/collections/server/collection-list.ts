import { Document, isScalar, isSeq } from 'yaml';
import { z } from 'zod';
import { transact, type Ctx } from '../../context.ts';
import { FileProblems, linesOfEmptied, parseYaml, repeated, visibleLine } from '../../platform/yaml-file.ts';
import {
  insertCollection,
  lockCollections,
  replaceDocuments,
  selectCollectionRows,
  selectDocumentNames,
  unlistCollections,
  updateCollection,
  type CollectionRow,
} from './store.ts';

/** The collections as a YAML file that operators edit, and the difference between a file and the collections on the site. */

/** Facts of a collection that the operator sets. `id` is null for a new collection; `documents` are ids in their order. */
type CollectionTerms = Pick<CollectionRow, 'name' | 'description' | 'tags'> & {
  id: number | null;
  documents: number[];
};

const MAX_COLLECTIONS = 100;
const MAX_DOCUMENTS = 200;
/** Enough for all documents of all collections, each on a line with its name. */
const MAX_FILE_CHARACTERS = 3_000_000;

const HEAD = ` The collections, in the order in which they are listed.
 name:        what visitors read; each name once.
 description: what the collection is about, on one line; may be left out.
 tags:        at most 5 words; may be left out.
 documents:   ids in the order in which they are shown, as "ceku document list" prints them. The banner is made of the
   covers of the first. A document that is hidden may be listed: it is shown when it is restored.
 A collection without id is new. A collection that is left out is shown to nobody, and returns when a file lists its id
 again.
 "ceku collection set FILE" shows what a file would change, and with --yes changes it.
`;

const collection = z.strictObject({
  id: z.number().int().positive().optional(),
  name: visibleLine(60).min(2, 'must have at least 2 characters'),
  description: visibleLine(300).default(''),
  tags: z
    .array(
      visibleLine(12)
        .min(1, 'must not be empty')
        .regex(/^[^,，、]*$/u, 'must be one word: list each tag by itself'),
    )
    .max(5, 'must have at most 5 tags')
    .default([]),
  documents: z
    .array(z.number().int().positive())
    .max(MAX_DOCUMENTS, `must have at most ${MAX_DOCUMENTS} documents`)
    .default([]),
});
const file = z.strictObject({
  collections: z.array(collection).max(MAX_COLLECTIONS, `must have at most ${MAX_COLLECTIONS} collections`),
});

/** Reads a list of collections from YAML. Throws FileProblems, which names every problem with its line. */
export function parseCollectionList(text: string): CollectionTerms[] {
  const list = parseYaml(text, file, MAX_FILE_CHARACTERS).collections.map(({ id, ...terms }) => ({
    id: id ?? null,
    ...terms,
  }));
  const problems = [
    ...repeated(list.map(({ name }) => name)).map((name) => `The name ${name} is used twice.`),
    ...repeated(list.flatMap(({ id }) => id ?? [])).map((id) => `The id ${id} is used twice.`),
    ...list.flatMap(({ tags, documents }, index) => [
      ...repeated(tags).map((tag) => `collections[${index}].tags has ${tag} twice.`),
      ...repeated(documents).map((id) => `collections[${index}].documents has ${id} twice.`),
    ]),
  ];
  if (problems.length > 0) throw new FileProblems(problems);
  return list;
}

/** The name and the state of documents by their id. */
type DocumentNames = Awaited<ReturnType<typeof selectDocumentNames>>;

/** Returns the list as YAML that parseCollectionList reads, with the name of each document as a comment. */
export function formatCollectionList(list: readonly CollectionTerms[], names: DocumentNames): string {
  const rows = list.map(({ id, ...terms }) => ({ ...(id !== null && { id }), ...terms }));
  const document = new Document({ collections: rows });
  list.forEach(({ documents }, index) => {
    const tags = document.getIn(['collections', index, 'tags'], true);
    if (isSeq(tags)) tags.flow = true;
    documents.forEach((id, at) => {
      const node = document.getIn(['collections', index, 'documents', at], true);
      const known = names.get(id);
      if (isScalar(node) && known)
        node.comment = ` ${known.name}${known.state === 'published' ? '' : ` (${known.state})`}`;
    });
  });
  return `${HEAD.replace(/^ /gm, '# ')}${document.toString({ lineWidth: 0 })}`;
}

/** Returns what `to` changes of `from`, a line for each change; an empty list when both say the same. */
function diffCollectionLists(from: readonly CollectionTerms[], to: readonly CollectionTerms[]): string[] {
  const before = new Map(from.map((terms, position) => [terms.id, { terms, position }]));
  const kept = new Set(to.map(({ id }) => id));
  const listed = to.flatMap((wanted, position) => {
    const known = wanted.id === null ? undefined : before.get(wanted.id);
    if (!known) {
      const again = wanted.id === null ? '' : ` (id ${wanted.id}) is shown again`;
      return [`+ ${wanted.name}${again}: ${wanted.documents.length} documents`];
    }
    const changes = changesOf(known.terms, wanted);
    if (known.position !== position) changes.push(`position ${known.position + 1} → ${position + 1}`);
    return changes.length > 0 ? [`~ ${known.terms.name} (id ${wanted.id}): ${changes.join(', ')}`] : [];
  });
  const gone = from.filter(({ id }) => !kept.has(id)).map(({ id, name }) => `- ${name} (id ${id}) is no longer shown`);
  return [...linesOfEmptied(from, to, 'hides all collections'), ...listed, ...gone];
}

/** Returns what two states of one collection differ in; their places in the list do not count. */
function changesOf(from: CollectionTerms, to: CollectionTerms): string[] {
  const told = [
    ['name', from.name, to.name],
    ['description', from.description, to.description],
    ['tags', from.tags.join(' '), to.tags.join(' ')],
  ] as const;
  return [
    ...told.flatMap(([name, one, other]) => (one === other ? [] : [`${name} ${one} → ${other}`])),
    ...documentChanges(from.documents, to.documents),
  ];
}

function documentChanges(from: readonly number[], to: readonly number[]): string[] {
  const added = to.filter((id) => !from.includes(id));
  const removed = from.filter((id) => !to.includes(id));
  const unmoved = [...from.filter((id) => to.includes(id)), ...added];
  return [
    ...(added.length > 0 ? [`documents added ${added.join(' ')}`] : []),
    ...(removed.length > 0 ? [`documents removed ${removed.join(' ')}`] : []),
    ...(to.some((id, index) => id !== unmoved[index]) ? ['documents in another order'] : []),
  ];
}

/** Returns the listed collections in their order, and the names of their documents. */
export async function findCollectionList(ctx: Ctx): Promise<{ list: CollectionTerms[]; names: DocumentNames }> {
  const list = listedOf(await selectCollectionRows(ctx.db));
  const names = await selectDocumentNames(
    ctx.db,
    list.flatMap(({ documents }) => documents),
  );
  return { list, names };
}

const listedOf = (rows: Awaited<ReturnType<typeof selectCollectionRows>>): CollectionTerms[] =>
  rows.filter(({ isListed }) => isListed).map(({ isListed: _isListed, ...terms }) => terms);

/**
 * Makes `list` the collections on the site, in that order, and returns what it changes, a line for each change. Collections that are left
 * out are shown to nobody. Throws FileProblems for an id that no collection or no document has.
 */
export function setCollectionList(
  ctx: Ctx,
  list: readonly CollectionTerms[],
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<{ changes: string[]; isDone: boolean }> {
  return transact(ctx, async ({ db, clock }) => {
    await lockCollections(db);
    const rows = await selectCollectionRows(db);
    const before = new Map(rows.map((row) => [row.id, row]));
    const known = await selectDocumentNames(
      db,
      list.flatMap(({ documents }) => documents),
    );
    const problems = list.flatMap(({ id, documents }, index) => [
      ...(id === null || before.has(id)
        ? []
        : [`collections[${index}].id ${id} is no collection. Leave the id out for a new collection.`]),
      ...documents
        .filter((document) => !known.has(document))
        .map((document) => `collections[${index}].documents: ${document} is no document.`),
    ]);
    if (problems.length > 0) throw new FileProblems(problems);
    const changes = diffCollectionLists(listedOf(rows), list);
    if (isDryRun || changes.length === 0) return { changes, isDone: false };
    const now = new Date(clock.now());
    await unlistCollections(db);
    for (const [position, { id, documents, ...terms }] of list.entries()) {
      const row = id === null ? undefined : before.get(id);
      if (!row) {
        await replaceDocuments(db, await insertCollection(db, { ...terms, position }, now), documents);
        continue;
      }
      const isChanged = changesOf(row, { id, documents, ...terms }).length > 0;
      await updateCollection(db, row.id, { ...terms, position, ...(isChanged && { updatedAt: now }) });
      if (isChanged) await replaceDocuments(db, row.id, documents);
    }
    return { changes, isDone: true };
  });
}

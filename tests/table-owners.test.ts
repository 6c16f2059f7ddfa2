import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sliceOf = (file: string) => file.split('/')[1] ?? '';

const products = globSync('src/*/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
const sources = products.map((file) => ({ file, slice: sliceOf(file), text: readFileSync(file, 'utf8') }));

/** Library declares these tables, because the slices below ingest read them; ingest fills them. */
const FILLED_BY_INGEST = new Set(['files', 'pages']);

/** Tables by their name in SQL and by their name in code, with the slice whose tables.ts declares them. */
const tables = sources.flatMap(({ slice, text }) =>
  [...text.matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)].map(([, constant = '', name = '']) => ({
    constant,
    name,
    owners: FILLED_BY_INGEST.has(name) ? [slice, 'ingest'] : [slice],
  })),
);

/** Statements that write a table, as `file: statement`, where the table belongs to another slice. */
function foreignWrites(file: string, slice: string, text: string): string[] {
  const found: string[] = [];
  for (const [statement, name = ''] of text.matchAll(/\.(?:insert|update|delete)\((\w+)\)/g))
    if (tables.some(({ constant, owners }) => constant === name && !owners.includes(slice)))
      found.push(`${file}: ${statement}`);
  for (const [statement, name = ''] of text.matchAll(/\b(?:insert into|update|delete from)\s+(?:only\s+)?(\w+)/g))
    if (tables.some((table) => table.name === name && !table.owners.includes(slice)))
      found.push(`${file}: ${statement}`);
  return found;
}

test('only the slice that owns a table writes it', () => {
  expect(tables.length).toBeGreaterThan(20);
  expect(sources.flatMap(({ file, slice, text }) => foreignWrites(file, slice, text))).toEqual([]);
});

test('a write of a table of another slice is found, in the builder and in SQL', () => {
  const breaking =
    'db.update(documents).set({}); sql`update documents set heat = 1`; sql`delete from users`; db.insert(sessions)';
  expect(foreignWrites('x.ts', 'ranking', breaking)).toHaveLength(4);
  expect(foreignWrites('x.ts', 'library', 'db.update(documents)')).toEqual([]);
});

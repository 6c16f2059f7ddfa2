import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const migrations = globSync('db/migrations/*.sql').map((file) => ({ file, sql: readFileSync(file, 'utf8') }));

/** Statements that a node of the release before does not survive: it still reads and writes what is gone. */
const REMOVES = /\b(drop (column|table)|rename (column|to))\b/i;

/** Returns the statements of a migration, without comments. No removal stands in a function body. */
const statementsOf = (sql: string) =>
  sql
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

/** Whether a migration takes something away and does something else as well. */
function isMixed(sql: string): boolean {
  const removals = statementsOf(sql).filter((statement) => REMOVES.test(statement));
  return removals.length > 0 && removals.length < statementsOf(sql).length;
}

test('a migration that drops or renames a column or a table does nothing else, so that it can ship a release later', () => {
  expect(migrations.length).toBeGreaterThan(20);
  expect(migrations.filter(({ sql }) => isMixed(sql)).map(({ file }) => file)).toEqual([]);
});

test('a removal beside another change is found, and a removal alone is not', () => {
  expect(isMixed('create table one (id int);\n-- Two is gone.\nalter table two drop column old;')).toBe(true);
  expect(isMixed('-- Two is gone.\nalter table two drop column old;\nalter table two rename to three;')).toBe(false);
  expect(isMixed('-- drop column\ncreate table one (id int);')).toBe(false);
});

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * The files that may hold SQL: stores and tables of the slices, SQL that stores of several slices use (`*-sql.ts`), the proofs of the books (`verify-*.ts`), and
 * the database and jobs of the platform. oxlint.config.ts keeps slices away from foreign stores by these names, so that SQL elsewhere would be open to all.
 */
const MAY_HOLD_SQL =
  /^src\/(?:platform\/(?:db|jobs)\/|[^/]+\/server\/(?:[^/]+\/)*(?:store\/[^/]+|store(?:-[^/]+)?|tables|[^/]+-sql|verify-[^/]+)\.ts$)/;

/** Returns whether a source makes or runs SQL: each does so by what it imports of Drizzle, or on the connection of its context. */
const holdsSql = (text: string): boolean =>
  /from 'drizzle-orm[^']*'|\bdb\s*\.(?:execute|select|selectDistinct|insert|update|delete|with|\$with)\b/.test(text);

const mayHoldSql = (file: string): boolean => MAY_HOLD_SQL.test(file);

test('SQL stands in stores alone', () => {
  const files = globSync('src/**/*.{ts,tsx}').filter((file) => !/\.test(?:-process)?\.tsx?$/.test(file));
  const withSql = files.filter((file) => holdsSql(readFileSync(file, 'utf8')));
  expect(withSql.length).toBeGreaterThan(50);
  expect(withSql.filter((file) => !mayHoldSql(file))).toEqual([]);
});

test('SQL in a verb is found: by the builder, by hand-written SQL, and on the connection of a context', () => {
  expect(holdsSql("import { sql, type SQL } from 'drizzle-orm';")).toBe(true);
  expect(holdsSql("import { alias } from 'drizzle-orm/pg-core';")).toBe(true);
  expect(holdsSql('await ctx.db.execute(statement)')).toBe(true);
  expect(holdsSql('await ctx.db\n  .select()')).toBe(true);
  expect(holdsSql('await selectOrders(ctx.db); keys.delete(key);')).toBe(false);
  expect(['sweep.ts', 'find/select-charts.ts', 'restore.ts'].map((name) => mayHoldSql(`src/x/server/${name}`))).toEqual(
    [false, false, false],
  );
  expect(
    ['store.ts', 'store-charts.ts', 'deep/store/orders.ts'].map((name) => mayHoldSql(`src/x/server/${name}`)),
  ).toEqual([true, true, true]);
});

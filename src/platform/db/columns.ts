import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

/** Columns that tables of several slices have. `id` is a primary key that PostgreSQL numbers. */
export const id = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity();
export const time = (name: string) => timestamp(name, { withTimezone: true });
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

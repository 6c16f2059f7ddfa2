import { bigint, customType, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const users = pgTable('users', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  username: text('username').unique(),
  passwordHash: text('password_hash'),
  nickname: text('nickname').notNull(),
  avatar: text('avatar').notNull().default(''),
  phone: text('phone').unique(),
  state: text('state').$type<'active' | 'banned'>().notNull().default('active'),
  sessionLimit: integer('session_limit').notNull().default(5),
  createdAt: time('created_at').notNull().defaultNow(),
});

export const sessions = pgTable('sessions', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: bigint('user_id', { mode: 'number' }).notNull(),
  tokenHash: bytea('token_hash').notNull(),
  browserHash: bytea('browser_hash').notNull(),
  sid: text('sid').notNull(),
  ip: text('ip').notNull().default(''),
  userAgent: text('user_agent').notNull().default(''),
  createdAt: time('created_at').notNull().defaultNow(),
  expiresAt: time('expires_at').notNull(),
  revokedAt: time('revoked_at'),
  revokeReason: text('revoke_reason'),
});

export const loginFailures = pgTable('login_failures', {
  accountKey: text('account_key').primaryKey(),
  failures: integer('failures').notNull(),
  lockedUntil: time('locked_until'),
  updatedAt: time('updated_at').notNull().defaultNow(),
});

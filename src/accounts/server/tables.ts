import { bigint, boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, time } from '../../platform/db/columns.ts';
import type { CodePurpose } from '../rules.ts';

export type UserState = 'active' | 'banned' | 'erased';

export const users = pgTable('users', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  username: text('username').unique(),
  passwordHash: text('password_hash'),
  nickname: text('nickname').notNull(),
  avatar: text('avatar').notNull().default(''),
  phoneSealed: bytea('phone_sealed'),
  phoneIndex: bytea('phone_index').unique(),
  state: text('state').$type<UserState>().notNull().default('active'),
  /** True for who was granted a membership for life: more sessions may be open at once (C-43). */
  hasLifetimeSessions: boolean('has_lifetime_sessions').notNull().default(false),
  eraseAt: time('erase_at'),
  /** True for an account whose password is public: it stands in the README (demo-accounts.ts). */
  isDemo: boolean('is_demo').notNull().default(false),
  createdAt: time('created_at').notNull().defaultNow(),
});

export type Provider = 'mini' | 'offiaccount';

export const userIdentities = pgTable(
  'user_identities',
  {
    provider: text('provider').$type<Provider>().notNull(),
    openid: text('openid').notNull(),
    unionid: text('unionid'),
    userId: bigint('user_id', { mode: 'number' }).notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.openid] })],
);

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
  provedAt: time('proved_at'),
});

export const endedTokens = pgTable('ended_tokens', {
  tokenHash: bytea('token_hash').primaryKey(),
  expiresAt: time('expires_at').notNull(),
});

export const loginFailures = pgTable('login_failures', {
  accountKey: text('account_key').primaryKey(),
  failures: integer('failures').notNull(),
  lockedUntil: time('locked_until'),
  updatedAt: time('updated_at').notNull().defaultNow(),
});

/** A scan with the purpose `prove` proves the owner of the session that started it, and logs nobody in. */
export type ScenePurpose = 'login' | 'prove';

export type SceneState = 'waiting' | 'scanned' | 'confirmed' | 'cancelled' | 'banned' | 'delivered';

export const loginScenes = pgTable('login_scenes', {
  scene: text('scene').primaryKey(),
  kind: text('kind').$type<Provider>().notNull(),
  bindHash: bytea('bind_hash').notNull(),
  state: text('state').$type<SceneState>().notNull().default('waiting'),
  openid: text('openid'),
  userId: bigint('user_id', { mode: 'number' }),
  channel: text('channel').notNull().default(''),
  qrText: text('qr_text').notNull().default(''),
  image: bytea('image'),
  purpose: text('purpose').$type<ScenePurpose>().notNull().default('login'),
  sessionId: bigint('session_id', { mode: 'number' }),
  inviterId: bigint('inviter_id', { mode: 'number' }),
  ip: text('ip').notNull().default(''),
  userAgent: text('user_agent').notNull().default(''),
  createdAt: time('created_at').notNull(),
  expiresAt: time('expires_at').notNull(),
});

export const smsCodes = pgTable('sms_codes', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  phoneIndex: bytea('phone_index').notNull(),
  ipIndex: bytea('ip_index').notNull(),
  networkIndex: bytea('network_index'),
  purpose: text('purpose').$type<'' | 'notice' | CodePurpose>().notNull().default(''),
  codeHash: text('code_hash').notNull(),
  state: text('state').$type<'asked' | 'sent' | 'unknown' | 'refused'>().notNull().default('asked'),
  tries: integer('tries').notNull().default(0),
  usedAt: time('used_at'),
  createdAt: time('created_at').notNull(),
});

export const vendorCalls = pgTable(
  'vendor_calls',
  {
    vendor: text('vendor').notNull(),
    minute: time('minute').notNull(),
    calls: integer('calls').notNull(),
  },
  (table) => [primaryKey({ columns: [table.vendor, table.minute] })],
);

export const accountExports = pgTable('account_exports', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: bigint('user_id', { mode: 'number' }).notNull(),
  state: text('state').$type<'pending' | 'ready' | 'failed'>().notNull().default('pending'),
  fileKey: text('file_key'),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull().default(0),
  createdAt: time('created_at').notNull(),
  readyAt: time('ready_at'),
  expiresAt: time('expires_at'),
});

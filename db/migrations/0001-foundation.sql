-- The catalogue ---------------------------------------------------------------------------------

create table industries (
  id integer generated always as identity primary key,
  name text not null unique check (char_length(name) between 1 and 40),
  position integer not null default 0
);

create table themes (
  id integer generated always as identity primary key,
  name text not null unique check (char_length(name) between 1 and 40),
  position integer not null default 0
);

create table document_types (
  id integer generated always as identity primary key,
  name text not null unique check (char_length(name) between 1 and 40),
  position integer not null default 0
);

create table organizations (
  id integer generated always as identity primary key,
  name text not null unique check (char_length(name) between 1 and 80)
);

-- One row per distinct content. `media_key` names the public folder of covers and page images: it is random,
-- so that nobody can guess it from a document id or from the file's hash.
create table files (
  id bigint generated always as identity primary key,
  sha256 text not null unique check (sha256 ~ '^[0-9a-f]{64}$'),
  media_key text not null unique check (media_key ~ '^[A-Za-z0-9_-]{22}$'),
  file_type text not null check (file_type in ('pptx', 'ppt', 'pdf')),
  size_bytes bigint not null check (size_bytes > 0),
  original_name text not null,
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'pending-preview', 'failed')),
  failure_code text,
  failure_detail text,
  page_count integer not null default 0 check (page_count >= 0),
  preview_count integer not null default 0 check (preview_count between 0 and 10),
  has_pdf boolean not null default false,
  cover_width integer not null default 0,
  cover_height integer not null default 0,
  cover_color text not null default '#e8e3da' check (cover_color ~ '^#[0-9a-f]{6}$'),
  outline jsonb not null default '[]',
  text_excerpt text not null default '',
  flags text[] not null default '{}',
  created_at timestamptz not null default now(),
  prepared_at timestamptz
);

create table pages (
  file_id bigint not null references files on delete cascade,
  page_number integer not null check (page_number > 0),
  width integer not null default 0,
  height integer not null default 0,
  has_image boolean not null default false,
  text text not null default '',
  primary key (file_id, page_number)
);

create table documents (
  id bigint generated always as identity primary key,
  file_id bigint not null references files,
  name text not null check (char_length(name) between 1 and 200),
  keyword text not null default '',
  price_coins integer not null default 0 check (price_coins between 0 and 99999),
  industry_id integer references industries,
  type_id integer references document_types,
  organization_id integer references organizations,
  researcher text not null default '',
  theme_ids integer[] not null default '{}',
  state text not null default 'processing' check (state in ('processing', 'published', 'hidden', 'failed')),
  hidden_reason text check (hidden_reason in ('operator', 'copyright', 'illegal')),
  download_count integer not null default 0,
  -- ln(1 + downloads) + age in units of 60 days: comparable between documents without recomputing as time passes.
  recommend_score double precision not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((state = 'hidden') = (hidden_reason is not null))
);
create index documents_by_file on documents (file_id);
create index documents_recommended on documents (recommend_score desc, id desc) where state = 'published';
create index documents_by_industry on documents (industry_id, recommend_score desc, id desc) where state = 'published';
create index documents_by_theme on documents using gin (theme_ids) where state = 'published';

-- What search reads: words and bigrams of name, keywords and organization, plus filter marks (see src/search/words.ts).
create table search_entries (
  document_id bigint primary key references documents on delete cascade,
  tokens tsvector not null
);
create index search_entries_tokens on search_entries using gin (tokens) with (fastupdate = off);

-- Bringing files in -----------------------------------------------------------------------------

create table ingest_batches (
  id bigint generated always as identity primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);

create table ingest_items (
  id bigint generated always as identity primary key,
  batch_id bigint not null references ingest_batches on delete cascade,
  path text not null,
  file_id bigint references files,
  document_id bigint references documents,
  state text not null default 'queued' check (state in ('queued', 'running', 'published', 'duplicate', 'waiting', 'refused', 'failed')),
  reason_code text,
  message text not null default '',
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index ingest_items_by_batch on ingest_items (batch_id, id);
create index ingest_items_by_file on ingest_items (file_id);

-- People ----------------------------------------------------------------------------------------

create table users (
  id bigint generated always as identity (start with 10001) primary key,
  username text unique check (username ~ '^[a-z0-9_.-]{3,32}$'),
  password_hash text,
  nickname text not null check (char_length(nickname) between 1 and 20),
  avatar text not null default '',
  phone text unique check (phone ~ '^1[3-9][0-9]{9}$'),
  state text not null default 'active' check (state in ('active', 'banned')),
  -- Concurrent sessions before the oldest is dropped (C-43); membership raises it for lifetime members.
  session_limit integer not null default 5 check (session_limit between 1 and 100),
  created_at timestamptz not null default now()
);

-- Only the SHA-256 of a token is kept. `browser_hash` is the hash of the HttpOnly `sess` cookie of the same login.
create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  token_hash bytea not null unique,
  browser_hash bytea not null unique,
  sid text not null unique,
  ip text not null default '',
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoke_reason text
);
create index sessions_by_user on sessions (user_id, created_at) where revoked_at is null;

create table login_failures (
  account_key text primary key,
  failures integer not null,
  locked_until timestamptz,
  updated_at timestamptz not null default now()
);

-- Money -----------------------------------------------------------------------------------------

-- Account 0 is the house: every transaction is a transfer, so that each txn_id sums to zero.
create table coin_accounts (
  user_id bigint primary key,
  balance bigint not null default 0,
  check (user_id = 0 or balance >= 0)
);
insert into coin_accounts (user_id, balance) values (0, 0);

create table ledger_entries (
  id bigint generated always as identity primary key,
  txn_id uuid not null,
  user_id bigint not null references coin_accounts,
  amount bigint not null check (amount <> 0),
  kind text not null check (kind in ('grant', 'topup', 'invite', 'download', 'reversal')),
  ref text not null,
  note text not null default '',
  created_at timestamptz not null default now(),
  unique (kind, ref, user_id)
);
create index ledger_entries_by_user on ledger_entries (user_id, id);
create index ledger_entries_by_txn on ledger_entries (txn_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'table % is append-only', tg_table_name;
end $$;
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- The two membership clocks of C-32. Null: never a member of that tier.
create table memberships (
  user_id bigint primary key references users,
  standard_end_at timestamptz,
  advanced_end_at timestamptz
);

create table membership_grants (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  tier integer not null check (tier in (1, 2)),
  days integer not null check (days > 0),
  kind text not null check (kind in ('operator', 'order')),
  ref text not null,
  reason text not null default '',
  created_at timestamptz not null default now(),
  unique (kind, ref)
);

create table entitlements (
  user_id bigint not null references users,
  document_id bigint not null references documents,
  method text not null check (method in ('free', 'coupon', 'coin')),
  coins integer not null default 0 check (coins >= 0),
  created_at timestamptz not null default now(),
  primary key (user_id, document_id),
  check ((method = 'coin') = (coins > 0))
);
create index entitlements_by_user on entitlements (user_id, created_at desc);

create table quota_uses (
  user_id bigint not null references users,
  kind text not null check (kind in ('coupon-day', 'download-month')),
  period text not null,
  used integer not null check (used >= 0),
  primary key (user_id, kind, period)
);

create table price_items (
  id integer generated always as identity primary key,
  catalogue text not null check (catalogue in ('items', 'vip', 'miao')),
  position integer not null,
  description text not null,
  kind text not null check (kind in ('vip', 'coin')),
  tier integer check (tier in (1, 2)),
  days integer not null default 0,
  coins integer not null default 0,
  price_fen integer not null check (price_fen > 0),
  original_price_fen integer not null check (original_price_fen > 0),
  is_on_sale boolean not null default true,
  unique (catalogue, position),
  check ((kind = 'vip' and tier is not null and days > 0 and coins = 0) or (kind = 'coin' and tier is null and days = 0 and coins > 0))
);
insert into price_items (catalogue, position, description, kind, tier, days, coins, price_fen, original_price_fen) values
  ('items', 0, '标准VIP · 12个月', 'vip', 1, 365, 0, 19800, 39900),
  ('items', 1, '高级VIP · 12个月', 'vip', 2, 365, 0, 29800, 59900),
  ('vip', 0, '季度VIP', 'vip', 2, 90, 0, 9800, 14900),
  ('vip', 1, '年度VIP', 'vip', 2, 365, 0, 29800, 59900),
  ('vip', 2, '终身VIP', 'vip', 2, 36500, 0, 99800, 199900),
  ('miao', 0, '100 喵币', 'coin', null, 0, 100, 1000, 1000),
  ('miao', 1, '330 喵币', 'coin', null, 0, 330, 3000, 3300),
  ('miao', 2, '600 喵币', 'coin', null, 0, 600, 5000, 6000),
  ('miao', 3, '1300 喵币', 'coin', null, 0, 1300, 10000, 13000);

-- Which process a job worker belongs to: `lock_key` is an advisory lock that process holds while it lives, so that
-- whoever comes next can tell the dead from the busy and free their jobs (src/platform/jobs/lost-workers.ts).
create table job_workers (
  worker_id text primary key,
  lock_key integer not null,
  started_at timestamptz not null default now()
);

-- House keeping ---------------------------------------------------------------------------------

-- Shape wanted by rate-limiter-flexible.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

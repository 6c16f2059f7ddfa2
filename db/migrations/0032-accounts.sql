-- Phones are kept sealed (AES-256-GCM under a key that is not in the database) and found by a keyed hash. The old
-- column is emptied by the next start of the site or of the command line (src/accounts/server/seal-phones.ts).
alter table users
  add column phone_sealed bytea,
  add column phone_index bytea unique,
  -- Asked for deletion; a login before this moment takes it back (C-74).
  add column erase_at timestamptz,
  add constraint users_phone_sealed_and_indexed check ((phone_sealed is null) = (phone_index is null));
alter table users drop constraint users_state_check;
-- 'erased': nothing of the person is left but the number, which the books of coins go on naming.
alter table users add constraint users_state_check check (state in ('active', 'banned', 'erased'));
create index users_to_erase on users (erase_at) where erase_at is not null;

-- Who somebody is at WeChat. One user may have several: the mini program and the official account name the same person
-- differently, and only `unionid`, where both belong to one Open Platform account, says that they are one.
create table user_identities (
  provider text not null check (provider in ('mini', 'offiaccount')),
  openid text not null check (char_length(openid) between 1 and 128),
  unionid text,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (provider, openid)
);
create index user_identities_by_user on user_identities (user_id);
create index user_identities_by_unionid on user_identities (unionid) where unionid is not null;

-- A scan login between its QR code and its token. Lives two minutes, so it need not survive a crash of the database.
create unlogged table login_scenes (
  scene text primary key,
  kind text not null check (kind in ('mini', 'offiaccount')),
  -- SHA-256 of the asking browser's scene_bind cookie: nobody else is ever told the result.
  bind_hash bytea not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'scanned', 'confirmed', 'cancelled', 'banned', 'delivered')),
  -- The phone that scanned first; no other one can go on.
  openid text,
  user_id bigint,
  channel text not null default '',
  -- What the official account's QR code says; the mini program's is an image of its own.
  qr_text text not null default '',
  ip text not null default '',
  user_agent text not null default '',
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index login_scenes_by_expiry on login_scenes (expires_at);

-- One row a message asked for: its code, and what the limits are counted from. Neither phone, address nor code can be
-- read from it.
create table sms_codes (
  id bigint generated always as identity primary key,
  phone_index bytea not null,
  ip_index bytea not null,
  -- '' serves any purpose of that phone (C-66).
  purpose text not null default '' check (purpose in ('', 'login', 'bind', 'reset', 'cancel')),
  code_hash text not null,
  -- 'asked': committed, and on its way to the carrier, or lost with the process that was to send it.
  state text not null default 'asked' check (state in ('asked', 'sent', 'unknown', 'refused')),
  tries integer not null default 0,
  used_at timestamptz,
  created_at timestamptz not null
);
create index sms_codes_by_phone on sms_codes (phone_index, created_at);
create index sms_codes_by_ip on sms_codes (ip_index, created_at);

-- Copies people asked for of what is kept about them (C-74). The file goes with the row.
create table account_exports (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'ready', 'failed')),
  file_key text,
  size_bytes bigint not null default 0,
  created_at timestamptz not null,
  ready_at timestamptz,
  expires_at timestamptz
);
-- One at a time for each user, however often the button is pressed.
create unique index account_exports_pending on account_exports (user_id) where state = 'pending';
create index account_exports_by_user on account_exports (user_id, id);

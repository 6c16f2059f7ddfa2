-- When the owner of a session last proved by a scan that it is still them (src/accounts/server/prove-owner.ts).
alter table sessions add column proved_at timestamptz;

-- 'prove': the scan logs nobody in; it proves the owner of the session that asked for the code.
alter table login_scenes
  add column purpose text not null default 'login' check (purpose in ('login', 'prove')),
  add column session_id bigint,
  -- The mini program's picture as WeChat drew it, so that WeChat is asked once for each scene.
  add column image bytea;

-- 'rebind' and 'export' are codes to the bound phone; 'notice' is a message without a code.
alter table sms_codes drop constraint sms_codes_purpose_check;
alter table sms_codes add constraint sms_codes_purpose_check
  check (purpose in ('', 'login', 'bind', 'rebind', 'reset', 'cancel', 'export', 'notice'));
-- Keyed hash of the IPv6 /48 that a message was asked from; null for IPv4.
alter table sms_codes add column network_index bytea;
create index sms_codes_by_network on sms_codes (network_index, created_at) where network_index is not null;
create index sms_codes_by_time on sms_codes (created_at);

-- Token hashes of erased accounts, without a user: their tokens answer code 2 until they would have expired (C-04).
create table ended_tokens (
  token_hash bytea primary key,
  expires_at timestamptz not null
);

-- How often another company was asked, by minute: its quotas are counted against this (src/accounts/server/vendor-quota.ts).
create table vendor_calls (
  vendor text not null,
  minute timestamptz not null,
  calls integer not null,
  primary key (vendor, minute)
);

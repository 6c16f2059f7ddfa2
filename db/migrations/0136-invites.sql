-- Who invited whom (C-90): at most one inviter for each account, bound when the account is created.
create table invites (
  invitee_id bigint primary key references users,
  inviter_id bigint not null references users check (inviter_id <> invitee_id),
  created_at timestamptz not null,
  -- Keyed hash of the address from which the account was created: a limit of rewards counts by it.
  address_index bytea not null,
  -- When the reward was decided, and its coins: 0 when a limit was reached. Null until the invitee has a phone.
  decided_at timestamptz,
  coins integer check (coins >= 0),
  -- Keyed hash of the phone for which the reward was paid: one phone is paid for once.
  phone_index bytea unique,
  check ((decided_at is null) = (coins is null))
);
create index invites_of_inviter on invites (inviter_id, created_at desc, invitee_id desc);
create index invites_decided on invites (inviter_id, decided_at) where coins > 0;

-- The member whose link the browser of a scan came by; the account that the scan may create is bound to that member.
alter table login_scenes add column inviter_id bigint;

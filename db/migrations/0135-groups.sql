-- Groups of members (C-88): the operator makes them, members join them and put documents on their shelves.
create table groups (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  description text not null default '',
  -- One or two characters that are drawn as the logo, on this colour.
  mark text not null check (mark <> ''),
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  position integer not null,
  -- A closed group is shown to nobody; its members and its shelf are kept.
  is_open boolean not null default true,
  created_at timestamptz not null default now()
);
create index groups_in_order on groups (position, id) where is_open;
create unique index groups_by_name on groups (name) where is_open;

create table group_members (
  group_id bigint not null references groups,
  user_id bigint not null references users,
  joined_at timestamptz not null,
  primary key (group_id, user_id)
);
create index group_members_by_user on group_members (user_id, joined_at desc, group_id desc);

-- The shelf of a group. The key makes adding a document idempotent: a document stands on a shelf once (C-113).
create table group_documents (
  group_id bigint not null references groups,
  document_id bigint not null references documents on delete cascade,
  -- The member who added the document; null for the operator, and after that member's account was erased.
  user_id bigint references users,
  added_at timestamptz not null,
  primary key (group_id, document_id)
);
create index group_documents_newest on group_documents (group_id, added_at desc, document_id desc);
create index group_documents_by_document on group_documents (document_id);
create index group_documents_by_user on group_documents (user_id) where user_id is not null;

-- Folders of favourites (C-83). A folder stands in another folder of the same user, or at the top.
create table shelf_folders (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  parent_id bigint,
  name text not null check (name <> ''),
  created_at timestamptz not null,
  unique (user_id, id),
  -- With user_id, so that nobody's folder ever stands in another user's.
  foreign key (user_id, parent_id) references shelf_folders (user_id, id)
);
create index shelf_folders_by_parent on shelf_folders (user_id, parent_id, id desc);

-- What users keep (C-82): a document or a chart, once, in a folder or at the top.
create table favorites (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  document_id bigint references documents on delete cascade,
  chart_id bigint references charts on delete cascade,
  folder_id bigint,
  note text not null default '',
  created_at timestamptz not null,
  check (num_nonnulls(document_id, chart_id) = 1),
  unique (user_id, document_id),
  unique (user_id, chart_id),
  foreign key (user_id, folder_id) references shelf_folders (user_id, id)
);
-- Lists are read newest first, of all folders or of one of them.
create index favorites_newest on favorites (user_id, id desc) where document_id is not null;
create index favorites_in_folder on favorites (user_id, folder_id, id desc);
create index favorites_of_document on favorites (document_id) where document_id is not null;
create index favorites_of_chart on favorites (chart_id) where chart_id is not null;

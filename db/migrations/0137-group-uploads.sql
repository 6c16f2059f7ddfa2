-- Files that members upload to the shelf of a group. They are no documents and no files of the library: nothing that lists,
-- searches or sells documents reads these tables.
create table group_uploads (
  id bigint generated always as identity primary key,
  -- Names the upload in addresses of the tus protocol and its objects in the file store; known to its owner alone.
  key text not null unique check (key ~ '^[0-9a-f]{32}$'),
  user_id bigint not null references users,
  -- The group on whose shelf the file stands; null until its owner has put it there.
  group_id bigint references groups,
  name text not null check (name <> ''),
  -- As announced at the start; the bytes that were received are counted by the tus store.
  size_bytes bigint not null check (size_bytes > 0),
  state text not null default 'receiving' check (state in ('receiving', 'queued', 'running', 'ready', 'failed')),
  progress integer not null default 0 check (progress between 0 and 100),
  -- Set when the file has passed the checks.
  file_type text check (file_type in ('pptx', 'ppt', 'pdf')),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  page_count integer,
  -- Width and height in pixels of each page image, in the order of the pages.
  pages jsonb not null default '[]',
  -- Why the preparation failed, in words for the owner.
  message text not null default '',
  created_at timestamptz not null,
  added_at timestamptz,
  check (state in ('receiving', 'failed') or (file_type is not null and sha256 is not null))
);
create index group_uploads_by_user on group_uploads (user_id, created_at desc);
create index group_uploads_newest on group_uploads (group_id, added_at desc, id desc) where group_id is not null;
-- For the sweep of what was never finished.
create index group_uploads_unfinished on group_uploads (created_at) where state <> 'ready' or group_id is null;

-- What members report to the operator about a file; a member reports a file once.
create table group_upload_reports (
  upload_id bigint not null references group_uploads on delete cascade,
  user_id bigint not null references users,
  reason text not null check (reason <> ''),
  created_at timestamptz not null,
  primary key (upload_id, user_id)
);
create index group_upload_reports_by_user on group_upload_reports (user_id);

-- What became of each step of one file's way through ingest. A run that was cut off goes on at the first step that is
-- not done; what a step made is in its own tables and in the file store, `detail` is for operators.
create table ingest_steps (
  file_id bigint not null references files on delete cascade,
  step text not null,
  state text not null check (state in ('running', 'done', 'failed', 'waiting')),
  attempts integer not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  error text not null default '',
  detail jsonb not null default '{}',
  primary key (file_id, step)
);
create index ingest_steps_running on ingest_steps (step) where state = 'running';
create index ingest_steps_finished on ingest_steps (finished_at) where step = 'publish';

-- `fonts`: the fonts a deck names and what was drawn instead. `progress`: percent of its steps done.
-- `has_strip`: thumbnails of the preview pages in one image. `has_words`: where the words of these pages stand.
alter table files
  add column fonts jsonb not null default '{}',
  add column progress smallint not null default 0 check (progress between 0 and 100),
  add column has_strip boolean not null default false,
  add column has_words boolean not null default false;
update files set progress = 100 where state = 'ready';

-- Equal pages of a deck share one stored image: its name within the media folder.
alter table pages add column image_name text not null default '';
update pages set image_name = 'p' || page_number where has_image;

-- A file that was taken in is known again by path, size and time, without reading it.
alter table ingest_items
  add column size_bytes bigint,
  add column modified_at timestamptz,
  add column sha256 text;
create index ingest_items_by_path on ingest_items (path, id desc);
create index ingest_items_open on ingest_items (batch_id) where state in ('queued', 'running');

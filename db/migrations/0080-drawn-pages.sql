-- Page images that readers of whole decks asked for (src/ingest/server/pages). A row names the images of one page in the
-- media folder of its file; rows that were not used for the longest time go when all images exceed the operator's limit.
-- A page that was drawn only as a thumbnail has no image name yet.
create table drawn_pages (
  file_id bigint not null references files on delete cascade,
  page_number integer not null check (page_number > 0),
  image_name text not null default '',
  width integer not null default 0,
  height integer not null default 0,
  large_name text not null default '',
  large_width integer not null default 0,
  thumbnail_name text not null,
  thumbnail_width integer not null,
  thumbnail_height integer not null,
  words jsonb not null default '[]',
  bytes integer not null check (bytes > 0),
  used_at timestamptz not null,
  primary key (file_id, page_number)
);
create index drawn_pages_used_at on drawn_pages (used_at);

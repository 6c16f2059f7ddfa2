-- What a document is worth beside its age: weighted signals of the last 30 days, one a person (src/ranking/rules.ts),
-- written by the ranking job alone. The score follows it; a download no longer moves it by itself.
alter table documents
  add column heat integer not null default 0 check (heat >= 0),
  -- 最热: heat first, all-time downloads between equals. Fits the 32 bits of the search engine's column.
  add column popularity bigint not null
    generated always as (least(heat, 65535)::bigint * 65536 + least(download_count, 65535)) stored;
update documents set recommend_score = extract(epoch from created_at)::float8 / 5184000 where download_count > 0;

create index documents_newest on documents (created_at desc, id desc) where state = 'published';
create index documents_hottest on documents (popularity desc, id desc) where state = 'published';
-- Those the next run of the job has to look at although nobody touched them: their signals grow old.
create index documents_with_heat on documents (id) where heat > 0;

-- C-40: a read is the first look at the pages by (user, document, month). C-84: history shows the last one.
create table reads (
  user_id bigint not null references users on delete cascade,
  document_id bigint not null references documents on delete cascade,
  -- Shanghai calendar month, YYYY-MM.
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  first_read_at timestamptz not null,
  last_read_at timestamptz not null,
  primary key (user_id, document_id, month)
);
create index reads_by_user on reads (user_id, last_read_at desc);
create index reads_by_time on reads (last_read_at);
create index entitlements_by_time on entitlements (created_at);

-- Search answers a question from search_entries alone: what it ranks, filters and counts by stands beside the tokens,
-- because visiting the document of every hit costs more than finding it.
alter table search_entries
  add column recommend_score double precision not null default 0,
  add column theme_ids integer[] not null default '{}',
  add column created_at timestamptz not null default now();
-- Room on each page for the new version of a row whose score changed: it then needs no new index entries.
alter table search_entries set (fillfactor = 90);
-- Filled by the indexer alone, so a rebuild restores them.
delete from search_entries;

-- A document that leaves the shelf leaves search with the same transaction, whoever takes it off; the indexer, which
-- puts entries in, locks the document first. A new score follows at once.
create function follow_document() returns trigger language plpgsql as $$
begin
  if new.state <> 'published' then
    delete from search_entries where document_id = new.id;
  elsif new.recommend_score <> old.recommend_score then
    update search_entries set recommend_score = new.recommend_score where document_id = new.id;
  end if;
  return null;
end $$;
create trigger search_follows_documents after update of state, recommend_score on documents
  for each row when (new.state <> old.state or new.recommend_score <> old.recommend_score)
  execute function follow_document();

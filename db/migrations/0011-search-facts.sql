-- What search filters, sorts and counts by, beside the tokens: see 0002.
alter table search_entries
  -- 1 PPT, 2 PDF (C-09 c).
  add column file_kind smallint not null default 0,
  -- 0: none.
  add column industry_id integer not null default 0,
  add column page_count integer not null default 0,
  add column is_free boolean not null default false,
  add column popularity bigint not null default 0;
update search_entries e set
  file_kind = case when f.file_type = 'pdf' then 2 else 1 end, industry_id = coalesce(d.industry_id, 0),
  page_count = f.page_count, is_free = d.price_coins = 0, popularity = d.popularity
  from documents d join files f on f.id = d.file_id where d.id = e.document_id;

create or replace function follow_document() returns trigger language plpgsql as $$
begin
  if new.state <> 'published' then
    delete from search_entries where document_id = new.id;
  else
    update search_entries set recommend_score = new.recommend_score, popularity = new.popularity
      where document_id = new.id;
  end if;
  return null;
end $$;
drop trigger search_follows_documents on documents;
create trigger search_follows_documents after update of state, recommend_score, heat, download_count on documents
  for each row when (new.state <> old.state or new.recommend_score <> old.recommend_score
    or new.popularity <> old.popularity)
  execute function follow_document();

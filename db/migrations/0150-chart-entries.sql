-- What the chart search reads: one row for each chart that a published document shows, with the words of the chart and the facts that filters
-- and order need. Several documents may share a file: the oldest published one stands for its charts, as everywhere else.
create table chart_entries (
  chart_id bigint primary key references charts on delete cascade,
  document_id bigint not null references documents on delete cascade,
  type_id integer not null,
  -- 0: none.
  industry_id integer not null,
  -- When the document was brought in: the time that filters go by and that cards show.
  created_at timestamptz not null,
  -- Name of the chart A, series and categories B, document, industry and type C, text of the page without weight.
  tokens tsvector not null
);
create index chart_entries_tokens on chart_entries using gin (tokens) with (fastupdate = off);
create index chart_entries_newest on chart_entries (created_at desc, document_id desc, chart_id);
create index chart_entries_by_document on chart_entries (document_id);

-- The charts of a document that leaves the shelf leave search with the same transaction. Where another published document shares the file,
-- the indexer puts them back a moment later.
create function forget_chart_entries() returns trigger language plpgsql as $$
begin
  delete from chart_entries where document_id = new.id;
  return null;
end $$;
create trigger search_forgets_charts after update of state on documents
  for each row when (old.state = 'published' and new.state <> 'published') execute function forget_chart_entries();

-- Pages that are kept for visitors list charts (0060). A document that is published or hidden is told by the triggers of documents.
create trigger page_change_chart_entries after insert or update on chart_entries
  for each statement execute function notify_page_change();

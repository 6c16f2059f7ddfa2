-- A download, a new score or another date changes facts of a document and none of its searched texts. `changed_in` stays the transaction that
-- last touched its texts (0003), `facts_changed_in` the last one that touched facts alone: search nodes then read a few numbers instead of the
-- text of all pages. `noted_in` is the later of both, the order in which nodes read.
alter table search_changes
  add column facts_changed_in xid8,
  add column noted_in xid8 not null generated always as (greatest(changed_in, facts_changed_in)) stored;
drop index search_changes_by_transaction;
create index search_changes_by_transaction on search_changes (noted_in, document_id);

-- All documents of a statement in one insert by id, so that two statements never wait for each other. A document without a row gets one that says
-- its texts changed.
create function note_search_changes_of_documents() returns trigger language plpgsql as $$
begin
  insert into search_changes as noted (document_id, changed_in, facts_changed_in)
    select c.id, pg_current_xact_id(), case
        when (b.state, b.file_id, b.name, b.keyword, b.organization_id, b.industry_id, b.theme_ids)
          is not distinct from (c.state, c.file_id, c.name, c.keyword, c.organization_id, c.industry_id, c.theme_ids)
        then pg_current_xact_id() end
    from changed c join before b on b.id = c.id order by c.id
    on conflict (document_id) do update set
      changed_in = case when excluded.facts_changed_in is null then excluded.changed_in else noted.changed_in end,
      facts_changed_in = coalesce(excluded.facts_changed_in, noted.facts_changed_in);
  return null;
end $$;
drop trigger search_notes_documents on documents;
create trigger search_notes_documents after update on documents
  referencing old table as before new table as changed for each statement execute function note_search_changes_of_documents();

create or replace function note_search_changes_of_file() returns trigger language plpgsql as $$
begin
  insert into search_changes (document_id, changed_in)
    select id, pg_current_xact_id() from documents where file_id = new.id order by id
    on conflict (document_id) do update set facts_changed_in = excluded.changed_in;
  return null;
end $$;

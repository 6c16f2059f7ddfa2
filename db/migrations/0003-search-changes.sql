-- What the search engine of each node has to look at again: one row a document, with the transaction that last touched
-- it, written by that very transaction. So a node asks for everything since its own horizon, however long it was away,
-- and nothing ever has to be cleared up. Document 0 stands for all of them (`ceku search rebuild`).
--
-- Numbers of a sequence would not do: they are given out before the commit, in another order than commits, and a reader
-- would step over the one that commits late. A lock that forces one order would make every download wait for every other.
-- Transaction ids with the horizon of a snapshot need neither: whatever is older than pg_snapshot_xmin() is finished and
-- visible, so the next look starts there (src/search/server/engine-feed.ts).
create table search_changes (
  document_id bigint primary key,
  changed_in xid8 not null
);
create index search_changes_by_transaction on search_changes (changed_in, document_id);

create function note_search_changes() returns trigger language plpgsql as $$
begin
  insert into search_changes (document_id, changed_in)
    select id, pg_current_xact_id() from changed order by id
    on conflict (document_id) do update set changed_in = excluded.changed_in;
  return null;
end $$;
-- A statement at a time, so that a large import notes its documents in one go.
create trigger search_notes_new_documents after insert on documents
  referencing new table as changed for each statement execute function note_search_changes();
create trigger search_notes_documents after update on documents
  referencing new table as changed for each statement execute function note_search_changes();
create trigger search_notes_removed_documents after delete on documents
  referencing old table as changed for each statement execute function note_search_changes();

-- The file says of its documents how many pages they have.
create function note_search_changes_of_file() returns trigger language plpgsql as $$
begin
  insert into search_changes (document_id, changed_in)
    select id, pg_current_xact_id() from documents where file_id = new.id order by id
    on conflict (document_id) do update set changed_in = excluded.changed_in;
  return null;
end $$;
create trigger search_notes_files after update of page_count, file_type on files
  for each row when (new.page_count <> old.page_count or new.file_type <> old.file_type)
  execute function note_search_changes_of_file();

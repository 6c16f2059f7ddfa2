-- Search nodes hold the text of all pages: a page that is added, removed or gets another text is a change of its documents
-- for every node (0003). Deleted files take their documents with them, which note themselves.
create function note_search_changes_of_pages() returns trigger language plpgsql as $$
begin
  insert into search_changes (document_id, changed_in)
    select id, pg_current_xact_id() from documents
    where file_id in (select distinct file_id from changed) order by id
    on conflict (document_id) do update set changed_in = excluded.changed_in;
  return null;
end $$;
create trigger search_notes_new_pages after insert on pages
  referencing new table as changed for each statement execute function note_search_changes_of_pages();
create trigger search_notes_removed_pages after delete on pages
  referencing old table as changed for each statement execute function note_search_changes_of_pages();

-- Row by row: most updates of a page concern its images, and a trigger for columns sees no transition table.
create function note_search_changes_of_page_text() returns trigger language plpgsql as $$
begin
  insert into search_changes (document_id, changed_in)
    select id, pg_current_xact_id() from documents where file_id = new.file_id order by id
    on conflict (document_id) do update set changed_in = excluded.changed_in;
  return null;
end $$;
create trigger search_notes_page_texts after update of text on pages
  for each row when (new.text <> old.text) execute function note_search_changes_of_page_text();

-- The names of themes are searched with the pages.
create function note_search_changes_of_theme() returns trigger language plpgsql as $$
begin
  insert into search_changes (document_id, changed_in)
    select id, pg_current_xact_id() from documents where theme_ids @> array[new.id] order by id
    on conflict (document_id) do update set changed_in = excluded.changed_in;
  return null;
end $$;
create trigger search_notes_themes after update of name on themes
  for each row when (new.name <> old.name) execute function note_search_changes_of_theme();

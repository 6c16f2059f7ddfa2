-- Tells every node, at commit, that something which visitors' pages show has changed: the node then drops the pages it
-- keeps (src/platform/http/answer-cache.ts). Statements that change nothing on the shelf tell nothing, so that a large
-- import or a conversion does not empty the caches again and again. Several notices of one transaction are sent as one.
create function notify_page_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('page_change', '');
  return null;
end $$;

create function notify_page_change_of_new_documents() returns trigger language plpgsql as $$
begin
  if exists (select from changed where state = 'published') then perform pg_notify('page_change', ''); end if;
  return null;
end $$;
create trigger page_change_new_documents after insert on documents
  referencing new table as changed for each statement execute function notify_page_change_of_new_documents();
create trigger page_change_removed_documents after delete on documents
  referencing old table as changed for each statement execute function notify_page_change_of_new_documents();

-- A download counts itself in its document's row: no page shows that number, and purchases must not wait for each
-- other, as the commits of two transactions that notify do.
create trigger page_change_documents after update on documents for each row
  when ((old.state = 'published' or new.state = 'published') and old.download_count = new.download_count)
  execute function notify_page_change();

create function notify_page_change_of_files() returns trigger language plpgsql as $$
begin
  if exists (select from changed c join documents d on d.file_id = c.id where d.state = 'published') then
    perform pg_notify('page_change', '');
  end if;
  return null;
end $$;
create trigger page_change_files after update on files
  referencing new table as changed for each statement execute function notify_page_change_of_files();

-- Charts, and versions of one plan, belong to a file.
create function notify_page_change_of_file_parts() returns trigger language plpgsql as $$
begin
  if exists (select from changed c join documents d on d.file_id = c.file_id where d.state = 'published') then
    perform pg_notify('page_change', '');
  end if;
  return null;
end $$;
create trigger page_change_new_charts after insert on charts
  referencing new table as changed for each statement execute function notify_page_change_of_file_parts();
create trigger page_change_removed_charts after delete on charts
  referencing old table as changed for each statement execute function notify_page_change_of_file_parts();
create trigger page_change_new_versions after insert on file_versions
  referencing new table as changed for each statement execute function notify_page_change_of_file_parts();
create trigger page_change_versions after update on file_versions
  referencing new table as changed for each statement execute function notify_page_change_of_file_parts();
create trigger page_change_removed_versions after delete on file_versions
  referencing old table as changed for each statement execute function notify_page_change_of_file_parts();

create trigger page_change_industries after update on industries
  for each statement execute function notify_page_change();
create trigger page_change_themes after insert or update or delete on themes
  for each statement execute function notify_page_change();
create trigger page_change_document_types after update on document_types
  for each statement execute function notify_page_change();
create trigger page_change_organizations after update on organizations
  for each statement execute function notify_page_change();
create trigger page_change_price_items after insert or update or delete on price_items
  for each statement execute function notify_page_change();

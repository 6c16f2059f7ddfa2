-- A page whose text changes in place (a file that is prepared again keeps its rows) leaves search with the same
-- transaction; the next notice about its document makes its entry anew.
create function forget_page_entry() returns trigger language plpgsql as $$
begin
  delete from page_entries where file_id = new.file_id and page_number = new.page_number;
  return null;
end $$;
create trigger search_forgets_pages after update of text on pages
  for each row when (new.text <> old.text) execute function forget_page_entry();
-- Which of today's entries are of an earlier text nobody kept. The next start makes them again, behind everything else.
truncate page_entries;

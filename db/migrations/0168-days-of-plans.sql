-- Lists filter and sort by the days that a plan states too (C-118). The release reads the facts of all files again; what was read before is copied.
alter table search_entries add column days integer not null default 0;
update search_entries e set days = f.days
  from documents d join files f on f.id = d.file_id where d.id = e.document_id and f.days > 0;

-- Days are searched as words too, so search nodes read the texts of these documents again.
drop trigger search_notes_plan_facts on files;
create trigger search_notes_plan_facts after update of budget_fen, people, days, key_pages on files
  for each row
  when (new.budget_fen <> old.budget_fen or new.people <> old.people or new.days <> old.days or new.key_pages <> old.key_pages)
  execute function note_search_changes_of_plan_facts();
insert into search_changes (document_id, changed_in)
  select d.id, pg_current_xact_id() from documents d join files f on f.id = d.file_id where f.days > 0 order by d.id
  on conflict (document_id) do update set changed_in = excluded.changed_in;

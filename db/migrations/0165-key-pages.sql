-- The first page of each kind that planners look for (src/library/key-pages.ts): [{"kind": "floor_plan", "page": 6}]. Read with the other facts of a
-- plan (0146).
alter table files add column key_pages jsonb not null default '[]';

-- The kinds are searched as words, so search nodes read the texts of these documents again.
drop trigger search_notes_plan_facts on files;
create trigger search_notes_plan_facts after update of budget_fen, people, key_pages on files
  for each row when (new.budget_fen <> old.budget_fen or new.people <> old.people or new.key_pages <> old.key_pages)
  execute function note_search_changes_of_plan_facts();

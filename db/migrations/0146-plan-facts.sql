-- Facts of a plan that its pages state (C-118), each with the page it was first read on; 0 where nothing is stated. Library reads them out of the
-- text of the pages when a document changes (src/library/server/plan-facts.ts). `facts_version` 0: not read yet.
alter table files
  add column budget_fen bigint not null default 0,
  add column budget_page integer not null default 0,
  add column people integer not null default 0,
  add column people_page integer not null default 0,
  add column days integer not null default 0,
  add column days_page integer not null default 0,
  add column facts_version smallint not null default 0;
create index files_without_facts on files (id) where facts_version = 0;

alter table search_entries
  add column budget_yuan bigint not null default 0,
  add column people integer not null default 0;

-- Pages with another text may state other facts.
create function forget_plan_facts() returns trigger language plpgsql as $$
begin
  update files set facts_version = 0
    where facts_version > 0 and id in (select distinct file_id from changed);
  return null;
end $$;
create trigger plan_facts_of_new_pages after insert on pages
  referencing new table as changed for each statement execute function forget_plan_facts();
create trigger plan_facts_of_removed_pages after delete on pages
  referencing old table as changed for each statement execute function forget_plan_facts();

-- Row by row, as in 0140: most updates of a page concern its images.
create function forget_plan_facts_of_page() returns trigger language plpgsql as $$
begin
  update files set facts_version = 0 where id = new.file_id and facts_version > 0;
  return null;
end $$;
create trigger plan_facts_of_page_texts after update of text on pages
  for each row when (new.text <> old.text) execute function forget_plan_facts_of_page();

-- Budget and people are searched as words too, so search nodes read the texts of these documents again.
create function note_search_changes_of_plan_facts() returns trigger language plpgsql as $$
begin
  insert into search_changes (document_id, changed_in)
    select id, pg_current_xact_id() from documents where file_id = new.id order by id
    on conflict (document_id) do update set changed_in = excluded.changed_in;
  return null;
end $$;
create trigger search_notes_plan_facts after update of budget_fen, people on files
  for each row when (new.budget_fen <> old.budget_fen or new.people <> old.people)
  execute function note_search_changes_of_plan_facts();

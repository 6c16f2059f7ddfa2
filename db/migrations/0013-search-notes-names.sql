-- The names of organizations and industries are searched like a document's own: when one changes, so have its documents
-- for every node (0003), and for search_entries by the job that makes them (library/jobs.ts).
create index documents_by_organization on documents (organization_id);

create function note_search_changes_of_organization() returns trigger language plpgsql as $$
declare
  thousand json;
begin
  insert into search_changes (document_id, changed_in)
    select id, pg_current_xact_id() from documents where organization_id = new.id order by id
    on conflict (document_id) do update set changed_in = excluded.changed_in;
  for thousand in
    select json_build_object('ids', json_agg(id)) from (
      select id, (row_number() over (order by id) - 1) / 1000 as part
      from documents where organization_id = new.id and state = 'published') as changed
    group by part
  loop
    perform graphile_worker.add_job('documents-changed', payload => thousand, max_attempts => 10);
  end loop;
  return null;
end $$;
create trigger search_notes_organizations after update of name on organizations
  for each row when (new.name <> old.name) execute function note_search_changes_of_organization();

create function note_search_changes_of_industry() returns trigger language plpgsql as $$
declare
  thousand json;
begin
  insert into search_changes (document_id, changed_in)
    select id, pg_current_xact_id() from documents where industry_id = new.id order by id
    on conflict (document_id) do update set changed_in = excluded.changed_in;
  for thousand in
    select json_build_object('ids', json_agg(id)) from (
      select id, (row_number() over (order by id) - 1) / 1000 as part
      from documents where industry_id = new.id and state = 'published') as changed
    group by part
  loop
    perform graphile_worker.add_job('documents-changed', payload => thousand, max_attempts => 10);
  end loop;
  return null;
end $$;
create trigger search_notes_industries after update of name on industries
  for each row when (new.name <> old.name) execute function note_search_changes_of_industry();

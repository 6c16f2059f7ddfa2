-- Lists of labels (theme, industry) that the operator has set: a start of the site no longer adds to them or orders them.
create table label_lists (
  kind text primary key,
  set_at timestamptz not null
);

-- Pages that are kept for visitors list the industries; 0060 tells of changed names alone.
create trigger page_change_new_industries after insert or delete on industries
  for each statement execute function notify_page_change();

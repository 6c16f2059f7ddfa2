-- What is searched for, for operators (ceku search report) and for related queries: never by whom. Kept for 90 days.
create table search_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- As it was typed; longer numbers, which may be somebody's, are masked before they get here.
  query text not null,
  -- All it found, before anything was forgiven.
  found integer not null,
  forgiven text not null default '' check (forgiven in ('', 'corrected', 'dropped')),
  ms real not null,
  tier smallint not null
);
create index search_log_by_time on search_log (at);

-- How often a step was begun, since it last came to an end of its own, without coming to one: `attempts` counts every
-- beginning and never forgets, which would blame a file for what happened to it long ago.
alter table ingest_steps add column broken_runs integer not null default 0;

-- What is not finished is looked for every few minutes, among a million files that are.
create index files_unfinished on files (id) where state in ('waiting', 'pending-preview', 'failed');

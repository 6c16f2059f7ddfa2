-- The same person made this query in the 30 days before, as far as the process that logged it remembers; who it was is stored nowhere. Related
-- queries count people, so that what one person types three times is not shown to others. Of rows that an older release wrote nobody
-- knows it, so they count for nobody: the default.
alter table search_log add column is_repeat boolean not null default true;

-- The same person made this query before, as far as the process that logged it remembers. Related queries count people, so
-- that nobody's own words come before others because they were typed three times; the person is stored nowhere.
alter table search_log add column is_repeat boolean not null default false;

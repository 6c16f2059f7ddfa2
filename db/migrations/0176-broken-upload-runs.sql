-- How many runs of the preparation were begun and have not come to an end, because their process was killed.
alter table group_uploads add column broken_runs integer not null default 0;

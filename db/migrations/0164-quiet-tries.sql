-- How often a file whose preparation ran out of time was tried again alone while the machine had nothing else to do.
alter table files add column quiet_tries smallint not null default 0;
create index files_timed_out on files (id) where failure_code in ('convert-timeout', 'render-timeout');

-- What an operator should look at (`ceku document list --doubtful`), and what the title of a file was taken from.
alter table files add column doubts text[] not null default '{}';
create index files_doubtful on files (id) where doubts <> '{}';
alter table file_fingerprints add column title_reason text not null default '';
-- Two decks of one title are told apart when they are described.
create index documents_by_name on documents (name);

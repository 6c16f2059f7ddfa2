-- What ingest tells of contents, repaired -------------------------------------------------------

-- Decks in sections were taken for damaged: the slides that their sections name were looked for a second time. They are prepared
-- again at the next start, or by `ceku convert --retry-failed`.
update files set state = 'waiting', failure_code = null, failure_detail = null
where file_type = 'pptx' and state = 'failed' and failure_code = 'corrupt' and failure_detail like '%slide % is missing%';

-- Nobody gave the name: it was made of the file's, and a better title may replace it while the document waits. Of those that wait at
-- this moment nobody kept which is which; they go on being told by their name alone.
alter table documents add column is_name_guessed boolean not null default false;
update documents set is_name_guessed = true where state in ('processing', 'failed');

-- Decks without words all have the same text hash and are told otherwise: they only lengthened these lists.
drop index file_fingerprints_quarter_1, file_fingerprints_quarter_2, file_fingerprints_quarter_3, file_fingerprints_quarter_4;
create index file_fingerprints_quarter_1 on file_fingerprints (substr(simhash, 1, 4)) where pieces > 0;
create index file_fingerprints_quarter_2 on file_fingerprints (substr(simhash, 5, 4)) where pieces > 0;
create index file_fingerprints_quarter_3 on file_fingerprints (substr(simhash, 9, 4)) where pieces > 0;
create index file_fingerprints_quarter_4 on file_fingerprints (substr(simhash, 13, 4)) where pieces > 0;

-- How large the library was when its words were counted, and how many contents came since: one row.
create table word_counting (
  is_only boolean primary key default true check (is_only),
  counted_files integer not null default 0,
  new_files integer not null default 0
);
insert into word_counting (new_files) select count(*) from file_fingerprints;

-- Which two contents were found to be versions of one. A group (file_versions) is what hangs together by these; it is named by its
-- lowest member. Groups from before hang on that member until their contents are read again.
create table file_version_pairs (
  file_id bigint not null references files on delete cascade,
  other_id bigint not null references files on delete cascade,
  primary key (file_id, other_id),
  check (file_id < other_id)
);
create index file_version_pairs_back on file_version_pairs (other_id);
update file_versions v set group_id = g.lowest
from (select group_id, min(file_id) as lowest from file_versions group by group_id) g
where g.group_id = v.group_id and v.group_id <> g.lowest;
delete from file_versions v
where not exists (select from file_versions w where w.group_id = v.group_id and w.file_id <> v.file_id);
insert into file_version_pairs (file_id, other_id) select group_id, file_id from file_versions where file_id > group_id;

-- What ingest tells of contents, repaired -------------------------------------------------------

-- Decks in sections were taken for damaged: the slides that their sections name were looked for a second time. They are prepared
-- again at the next start, or by `ceku convert --retry-failed`.
update files set state = 'waiting', failure_code = null, failure_detail = null
where file_type = 'pptx' and state = 'failed' and failure_code = 'corrupt' and failure_detail like '%slide % is missing%';

-- Nobody gave the name: it was made of the file's, and a better title may replace it while the document waits. Of those that wait at
-- this moment nobody kept which is which; they go on being told by their name alone.
alter table documents add column is_name_guessed boolean not null default false;
update documents set is_name_guessed = true where state in ('processing', 'failed');

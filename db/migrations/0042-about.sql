-- What ingest tells of contents, repaired -------------------------------------------------------

-- Decks in sections were taken for damaged: the slides that their sections name were looked for a second time. They are prepared
-- again at the next start, or by `ceku convert --retry-failed`.
update files set state = 'waiting', failure_code = null, failure_detail = null
where file_type = 'pptx' and state = 'failed' and failure_code = 'corrupt' and failure_detail like '%slide % is missing%';

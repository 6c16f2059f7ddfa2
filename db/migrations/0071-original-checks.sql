-- When an original was last read whole and compared with its SHA-256, and since when it is known to have other bytes.
alter table files add column checked_at timestamptz, add column damaged_at timestamptz;
-- The nightly check takes those that waited longest.
create index files_by_check on files (checked_at nulls first, id);

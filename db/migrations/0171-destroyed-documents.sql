-- ceku document destroy: the row of the document stays, for those who own it and for the books; the row of the file stays with its hash, so that
-- the same bytes are refused when somebody brings them in again.
alter table files add column destroyed_at timestamptz;
alter table documents add column destroyed_at timestamptz;

-- A path may be longer than an index entry can be (2,704 bytes): found by its hash, which takes less room besides.
drop index ingest_items_by_path;
create index ingest_items_by_path on ingest_items (hashtextextended(path, 0), id desc);

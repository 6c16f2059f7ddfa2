-- The hourly ranking reads the favourites of the last 30 days: with a million favourites in 0.04 s in place of 0.28 s.
create index favorites_by_time on favorites (created_at) where document_id is not null;

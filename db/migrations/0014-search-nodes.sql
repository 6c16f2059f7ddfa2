-- Which nodes keep a search index, and which request to build it anew (search_changes, document 0) is in it already: so
-- that `ceku search rebuild` can wait for them. Each node writes its own row every other second.
create unlogged table search_nodes (
  node text primary key,
  seen_at timestamptz not null default now(),
  rebuilt_in xid8
);

-- Collections (专题, C-92): documents that the operator chose, under a name and in an order.
create table collections (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  description text not null default '',
  tags text[] not null default '{}',
  position integer not null,
  -- A collection that is not listed is shown to nobody; its documents are kept.
  is_listed boolean not null default true,
  created_at timestamptz not null,
  -- When the name, the description, the tags or the documents last changed.
  updated_at timestamptz not null
);
create index collections_in_order on collections (position, id) where is_listed;
create unique index collections_by_name on collections (name) where is_listed;

create table collection_documents (
  collection_id bigint not null references collections,
  document_id bigint not null references documents on delete cascade,
  position integer not null,
  primary key (collection_id, document_id)
);
create index collection_documents_in_order on collection_documents (collection_id, position);
create index collection_documents_by_document on collection_documents (document_id);

-- Pages that are kept for visitors show collections (0060). A document that is published or hidden is told by the triggers of documents.
-- Row by row: a deleted document runs a statement on collection_documents even where it stands in no collection.
create trigger page_change_collections after insert or update or delete on collections
  for each statement execute function notify_page_change();
create trigger page_change_collection_documents after insert or update or delete on collection_documents
  for each row execute function notify_page_change();

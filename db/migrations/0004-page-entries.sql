-- What search reads inside the pages: the pairs and words of each page's text, without places (src/search/words.ts).
-- Apart from search_entries: page text in the ranked vector makes every common word ten times dearer.
-- A page that is drawn anew loses its entry with its row, and gets one by the next notice about its document.
create table page_entries (
  file_id bigint not null,
  page_number integer not null,
  tokens tsvector not null,
  primary key (file_id, page_number),
  foreign key (file_id, page_number) references pages on delete cascade
);
create index page_entries_tokens on page_entries using gin (tokens) with (fastupdate = off);

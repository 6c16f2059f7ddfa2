-- What ingest found a content to be about, and what it is recognized by -------------------------

create table file_fingerprints (
  file_id bigint primary key references files on delete cascade,
  -- Of the code that made it: an older one is made again by `ceku describe`.
  version integer not null,
  -- 64 bits as hex; pieces of text and the smallest of their hashes (src/ingest/about/text-fingerprint.ts).
  simhash text not null check (simhash ~ '^[0-9a-f]{16}$'),
  sketch integer[] not null,
  pieces integer not null,
  cover_hash text check (cover_hash ~ '^[0-9a-f]{16}$'),
  title text not null,
  -- All words of it that say something, for counting how many contents have them.
  words text[] not null,
  keywords text[] not null,
  -- What it might be filed under and why: {themes: [...], industry: ... | null}, words with their weights.
  proposals jsonb not null,
  made_at timestamptz not null default now()
);
-- Two that differ in three bits at most share one of the four quarters.
create index file_fingerprints_quarter_1 on file_fingerprints (substr(simhash, 1, 4));
create index file_fingerprints_quarter_2 on file_fingerprints (substr(simhash, 5, 4));
create index file_fingerprints_quarter_3 on file_fingerprints (substr(simhash, 9, 4));
create index file_fingerprints_quarter_4 on file_fingerprints (substr(simhash, 13, 4));

-- The heaviest words of a content, as a vector of length 1.
create table file_words (
  file_id bigint not null references files on delete cascade,
  word text not null,
  weight real not null,
  primary key (file_id, word)
);
create index file_words_heaviest on file_words (word, weight desc) include (file_id);

-- How many contents have a word, counted now and then over a sample; the row of '' says over how many.
create table word_counts (
  word text primary key,
  files integer not null
);
-- Decks of pictures, with hardly any text, are told by their title.
create index file_fingerprints_textless on file_fingerprints (title) where pieces < 60;

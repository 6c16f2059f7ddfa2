-- The page that a member read last in each document (C-85).
create table reading_positions (
  user_id bigint not null references users,
  document_id bigint not null references documents on delete cascade,
  page integer not null check (page between 1 and 10000),
  read_at timestamptz not null,
  primary key (user_id, document_id)
);

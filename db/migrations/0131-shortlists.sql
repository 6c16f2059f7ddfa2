-- Links that show a folder of favourites to people without an account. The link itself is not stored: it is the id and a
-- signature made with the secret of the site.
create table shortlists (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  -- Null after the folder was deleted, which ends the link.
  folder_id bigint,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  check (folder_id is not null or revoked_at is not null),
  foreign key (user_id, folder_id) references shelf_folders (user_id, id)
);
create index shortlists_of_folder on shortlists (user_id, folder_id, id desc);

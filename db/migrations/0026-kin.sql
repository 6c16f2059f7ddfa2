-- What contents have to do with each other -------------------------------------------------------

-- Contents whose words are most like this one's, with the cosine of their word vectors. Both directions are kept.
create table file_neighbors (
  file_id bigint not null references files on delete cascade,
  neighbor_id bigint not null references files on delete cascade,
  score real not null,
  primary key (file_id, neighbor_id),
  check (file_id <> neighbor_id)
);
create index file_neighbors_best on file_neighbors (file_id, score desc);
create index file_neighbors_back on file_neighbors (neighbor_id);

-- Contents that are versions of one: a group is named by the lowest id in it. What has no other version has no row.
create table file_versions (
  file_id bigint primary key references files on delete cascade,
  group_id bigint not null
);
create index file_versions_by_group on file_versions (group_id);

-- Covers come in up to three widths and pages in two; files from before have the first of each until they are drawn again.
alter table files
  add column cover_widths smallint[] not null default '{480}',
  add column images_version smallint not null default 1;
alter table pages
  add column large_name text not null default '',
  add column large_width integer not null default 0;

-- Large page images are drawn when a reader first asks for them (drawn_pages); pages keep only their width.
alter table pages drop column large_name;

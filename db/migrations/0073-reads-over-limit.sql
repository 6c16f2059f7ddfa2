-- A document a member opened after the reads of the month were used up (C-40): it is not counted, and shows no full text until it is.
alter table reads add column over_limit boolean not null default false;

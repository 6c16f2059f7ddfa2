-- A query that found nothing as typed, and which the same session changed into this one within two minutes: what people
-- mean by words that the library lacks (ceku search report). Masked like the query; never by whom.
alter table search_log add column instead_of text not null default '';

-- Row by row: a job that writes the entries of a document again, and changes none, tells nothing, so that kept pages stay (0060).
drop trigger page_change_chart_entries on chart_entries;
create trigger page_change_chart_entries after insert or update on chart_entries
  for each row execute function notify_page_change();

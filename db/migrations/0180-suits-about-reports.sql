-- The sender of a report answers a counter-notice by a complaint or a suit: the report is accepted again, and its document stays down.
alter table infringement_reports
  add column suit text not null default '',
  add column sued_at timestamptz,
  add check ((sued_at is null) = (suit = ''));

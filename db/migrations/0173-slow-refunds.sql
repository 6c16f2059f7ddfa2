-- When a refund was asked for last (null: when it was made), and when it became a case because the provider had not finished it.
alter table order_refunds add column asked_at timestamptz;
alter table order_refunds add column slow_at timestamptz;

alter table payment_case_alerts drop constraint payment_case_alerts_kind_check;
alter table payment_case_alerts add constraint payment_case_alerts_kind_check
  check (kind in ('put-aside', 'refund-failed', 'refund-slow', 'difference', 'unknown-number', 'invoice-requested', 'invoice-to-void'));

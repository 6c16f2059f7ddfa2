-- Cases of payment that wait for a person and are told to NOTIFY_URL. The row commits with what made the case; `told_at` is
-- null until the receiver has taken the alert. A case that comes back (a refund that fails again) is told again.
create table payment_case_alerts (
  kind text not null check (kind in ('put-aside', 'refund-failed', 'difference', 'unknown-number')),
  out_trade_no text not null,
  raised_at timestamptz not null,
  told_at timestamptz,
  primary key (kind, out_trade_no)
);
create index payment_case_alerts_untold on payment_case_alerts (raised_at) where told_at is null;

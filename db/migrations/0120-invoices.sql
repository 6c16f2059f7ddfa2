-- Requests for invoices (C-119): at most one for each order. What the request becomes when its order is refunded follows
-- from the order, so that no path of a refund can forget it.
create table order_invoices (
  id bigint generated always as identity primary key,
  order_id bigint not null unique references orders,
  kind text not null check (kind in ('company', 'person')),
  title text not null check (title <> ''),
  tax_no text not null,
  -- Where the invoice is sent; "" after the account was erased.
  email text not null,
  state text not null default 'requested' check (state in ('requested', 'issued', 'refused', 'voided')),
  -- The number that the tax authority gave the invoice; "" until it is issued.
  invoice_no text not null default '',
  -- Why the operator refused the request, in words for the buyer.
  reason text not null default '',
  -- What the operator did with the invoice of a refunded order.
  note text not null default '',
  requested_at timestamptz not null,
  answered_at timestamptz,
  voided_at timestamptz,
  check ((kind = 'company') = (tax_no <> '')),
  check ((state in ('issued', 'voided')) = (invoice_no <> '')),
  check ((state = 'refused') = (reason <> '')),
  check ((state = 'requested') = (answered_at is null)),
  check ((state = 'voided') = (voided_at is not null))
);
create index order_invoices_open on order_invoices (requested_at) where state in ('requested', 'issued');

-- A request and an invoice of a refunded order wait for a person, and are told to NOTIFY_URL like the other cases.
alter table payment_case_alerts drop constraint payment_case_alerts_kind_check;
alter table payment_case_alerts add constraint payment_case_alerts_kind_check
  check (kind in ('put-aside', 'refund-failed', 'difference', 'unknown-number', 'invoice-requested', 'invoice-to-void'));

-- Reports of infringement and what became of them (C-96), and requests about personal data (C-105). How their senders are reached is
-- sealed like phones; the address that they were sent from is kept as a keyed hash for some days, to limit their number.
create table infringement_reports (
  id bigint generated always as identity primary key,
  receipt_no text not null unique,
  document_id bigint not null references documents on delete cascade,
  kind text not null check (kind in ('copyright', 'trademark', 'reputation', 'portrait', 'privacy', 'secret', 'other')),
  owner text not null check (owner <> ''),
  contact_sealed bytea not null,
  proof text not null check (proof <> ''),
  statement text not null check (statement <> ''),
  address_index bytea,
  state text not null default 'received' check (state in ('received', 'accepted', 'countered', 'rejected', 'restored')),
  -- Why the document was hidden before the first report about it was accepted; null where it was shown.
  hidden_before text check (hidden_before in ('operator', 'copyright', 'illegal')),
  -- Why the operator rejected the report, or restored its document.
  reason text not null default '',
  -- What the provider of the document declared against the report.
  counter_notice text not null default '',
  received_at timestamptz not null,
  decided_at timestamptz,
  countered_at timestamptz,
  restored_at timestamptz,
  check ((state = 'received') = (decided_at is null)),
  check ((state in ('rejected', 'restored')) = (reason <> '')),
  check ((countered_at is null) = (counter_notice = '')),
  check (state <> 'countered' or countered_at is not null),
  check ((state = 'restored') = (restored_at is not null))
);
create index infringement_reports_by_state on infringement_reports (state, received_at);
create index infringement_reports_by_document on infringement_reports (document_id);
create index infringement_reports_by_address on infringement_reports (address_index, received_at) where address_index is not null;

create table privacy_requests (
  id bigint generated always as identity primary key,
  receipt_no text not null unique,
  -- The account of a sender who was logged in.
  user_id bigint references users,
  kind text not null check (kind in ('access', 'correct', 'delete', 'withdraw', 'explain', 'child', 'other')),
  contact_sealed bytea not null,
  content text not null check (content <> ''),
  address_index bytea,
  -- The last day of the answer, a day of Shanghai.
  due_on date not null,
  -- What was done, in the operator's words; "" until then.
  answer text not null default '',
  received_at timestamptz not null,
  answered_at timestamptz,
  check ((answered_at is null) = (answer = ''))
);
create index privacy_requests_open on privacy_requests (due_on) where answered_at is null;
create index privacy_requests_by_user on privacy_requests (user_id) where user_id is not null;
create index privacy_requests_by_address on privacy_requests (address_index, received_at) where address_index is not null;

-- Orders: what was chosen, at the price of that moment, and what became of the money. Orders are never deleted.
create table orders (
  id bigint generated always as identity primary key,
  out_trade_no text not null unique check (out_trade_no ~ '^M[0-9]{14}[0-9A-Z]{10}$'),
  user_id bigint not null references users,
  channel text not null check (channel in ('wechat', 'alipay')),
  -- The item as it was on sale when the order was made. A trigger refuses every change of it.
  item_id integer not null references price_items,
  kind text not null check (kind in ('vip', 'coin')),
  description text not null,
  tier integer check (tier in (1, 2)),
  days integer not null,
  coins integer not null,
  price_fen integer not null check (price_fen > 0),
  -- The document whose page the buyer came from; only a note, so it refers to nothing.
  document_id bigint,
  status text not null default 'created'
    check (status in ('created', 'pending', 'closed', 'fulfilled', 'mismatch', 'refunding', 'refunded')),
  -- The content of the QR code, and since when the provider has given it.
  code_content text not null default '',
  coded_at timestamptz,
  notify_url text not null,
  -- When the provider was asked last, and when the buyer chose something else.
  asked_at timestamptz,
  superseded_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  -- What the provider stated of the payment, from the moment that money came.
  transaction_id text,
  paid_fen bigint,
  paid_currency text,
  paid_at timestamptz,
  fulfilled_at timestamptz,
  -- Why a payment was put aside for the operator; "" for none.
  mismatch text not null default '',
  unique (channel, transaction_id),
  check ((kind = 'vip' and tier is not null and days > 0 and coins = 0) or (kind = 'coin' and tier is null and days = 0 and coins > 0)),
  check (expires_at > created_at),
  check ((transaction_id is null) = (status in ('created', 'pending', 'closed'))),
  check ((transaction_id is null) = (paid_at is null) and (transaction_id is null) = (paid_fen is null)),
  check (status <> 'fulfilled' or fulfilled_at is not null),
  check (status <> 'mismatch' or mismatch <> '')
);
create index orders_by_user on orders (user_id, id desc);
create index orders_by_item on orders (user_id, item_id);
create index orders_open on orders (created_at) where status in ('created', 'pending');
create index orders_paid on orders (paid_at) where paid_at is not null;
create index orders_in_question on orders (status) where status in ('mismatch', 'refunding');

-- The only edges of an order. A statement that would take another one is a defect, and fails.
create function check_order_change() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and (old.status || ' ' || new.status) not in (
    'created pending', 'created closed', 'pending closed',
    'created fulfilled', 'pending fulfilled', 'closed fulfilled',
    'created mismatch', 'pending mismatch', 'closed mismatch',
    'created refunding', 'pending refunding', 'closed refunding',
    'mismatch fulfilled', 'mismatch refunding',
    'fulfilled refunding', 'refunding refunded'
  ) then
    raise exception 'order % does not go from % to %', old.out_trade_no, old.status, new.status;
  end if;
  if (old.out_trade_no, old.user_id, old.channel, old.item_id, old.kind, old.description, old.tier, old.days, old.coins,
      old.price_fen, old.created_at, old.expires_at)
    is distinct from (new.out_trade_no, new.user_id, new.channel, new.item_id, new.kind, new.description, new.tier,
      new.days, new.coins, new.price_fen, new.created_at, new.expires_at) then
    raise exception 'the terms of order % cannot change', old.out_trade_no;
  end if;
  return new;
end $$;
create trigger orders_change before update on orders for each row execute function check_order_change();

create function refuse_order_removal() returns trigger language plpgsql as $$
begin
  raise exception 'orders are kept';
end $$;
create trigger orders_kept before delete or truncate on orders for each statement execute function refuse_order_removal();

-- Money on its way back to the buyer: one refund an order, of the whole amount.
create table order_refunds (
  id bigint generated always as identity primary key,
  order_id bigint not null unique references orders,
  refund_no text not null unique check (refund_no ~ '^R[0-9]{14}[0-9A-Z]{10}$'),
  amount_fen bigint not null check (amount_fen > 0),
  reason text not null check (reason in ('duplicate', 'operator')),
  note text not null default '',
  state text not null default 'asked' check (state in ('asked', 'processing', 'succeeded', 'failed')),
  -- Why the provider did not pay back, in its words.
  failure text not null default '',
  created_at timestamptz not null,
  finished_at timestamptz
);
create index order_refunds_open on order_refunds (state) where state <> 'succeeded';

-- The inbox: every genuine notification, once, as it came. A later repetition only counts.
create table payment_notices (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('wechat', 'alipay')),
  event_id text not null,
  kind text not null check (kind in ('paid', 'refund', 'other')),
  out_trade_no text,
  sha256 text not null,
  -- The bytes name the payer's account with the provider: they are removed after some months, and with the account.
  body bytea,
  deliveries integer not null default 1,
  outcome text not null default '',
  received_at timestamptz not null,
  applied_at timestamptz,
  unique (channel, event_id)
);
create index payment_notices_by_order on payment_notices (out_trade_no);
create index payment_notices_unapplied on payment_notices (received_at) where applied_at is null;

-- Requests to the notification addresses that were not the provider's: counted, never kept.
create table payment_refusals (
  channel text not null check (channel in ('wechat', 'alipay')),
  day date not null,
  reason text not null,
  count integer not null,
  primary key (channel, day, reason)
);

-- The comparison of a day with the provider's bill, and what it found.
create table payment_bills (
  channel text not null check (channel in ('wechat', 'alipay')),
  day date not null,
  payments integer not null,
  paid_fen bigint not null,
  refunds integer not null,
  refunded_fen bigint not null,
  compared_at timestamptz not null,
  primary key (channel, day)
);
create table payment_differences (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('wechat', 'alipay')),
  out_trade_no text not null,
  kind text not null,
  detail text not null,
  found_at timestamptz not null,
  resolved_at timestamptz,
  note text not null default '',
  unique (channel, out_trade_no, kind, detail)
);
create index payment_differences_open on payment_differences (found_at) where resolved_at is null;

-- A grant that was taken back (a refunded order) counts no more.
alter table membership_grants add column revoked_at timestamptz;

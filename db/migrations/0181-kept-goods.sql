-- The operator paid back and left the coins or the days with the buyer.
alter table order_refunds add column keeps_goods boolean not null default false;
update order_refunds r set keeps_goods = true from orders o
  where o.id = r.order_id and o.fulfilled_at is not null
    and not exists (select 1 from ledger_entries where kind = 'reversal' and ref = o.out_trade_no and user_id = o.user_id)
    and not exists (select 1 from membership_grants where kind = 'order' and ref = o.out_trade_no and revoked_at is not null);

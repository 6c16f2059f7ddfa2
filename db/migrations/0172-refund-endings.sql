-- Numbers under which a provider takes no further request: WeChat Pay closed the refund, and the next attempt has a number of its own.
alter table order_refunds add column closed_numbers text[] not null default '{}';
update order_refunds set closed_numbers = array[refund_no] where state = 'failed' and failure = 'CLOSED';
-- The money went back by another way (the provider's console, a chargeback, a transfer), and the operator recorded it.
alter table order_refunds add column is_paid_elsewhere boolean not null default false;

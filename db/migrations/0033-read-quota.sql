-- Documents read in full in a month (C-40), counted beside the downloads.
alter table quota_uses drop constraint quota_uses_kind_check;
alter table quota_uses add constraint quota_uses_kind_check check (kind in ('coupon-day', 'download-month', 'read-month'));

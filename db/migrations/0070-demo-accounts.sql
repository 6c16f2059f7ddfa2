-- The demo logins have a password everybody knows. They are marked, so that a public site refuses them whatever their
-- name, password or phone has become; an account that an operator happened to name "vip" is none.
alter table users add column is_demo boolean not null default false;
update users set is_demo = true where id in (
  select user_id from ledger_entries where kind = 'grant' and ref in ('demo:demo', 'demo:vip', 'demo:pro') and user_id <> 0);
-- Who holds their open sessions nobody knows.
update sessions set revoked_at = now(), revoke_reason = 'demo'
  where revoked_at is null and user_id in (select id from users where is_demo);

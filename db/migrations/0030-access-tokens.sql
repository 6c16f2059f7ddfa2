-- WeChat gives one token for each account, good for two hours: all nodes share it, and one of them renews it. Unlogged:
-- after a crash of the database the next call asks for it again.
create unlogged table access_tokens (
  account text primary key,
  token text not null default '',
  expires_at timestamptz not null default '-infinity',
  -- The node that renews it holds it until then; the others wait for the result.
  renewing_until timestamptz not null default '-infinity'
);

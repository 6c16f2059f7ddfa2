-- How many sessions a user may keep open at once is a setting of the site (SESSION_LIMIT, SESSION_LIMIT_LIFETIME); a
-- user only has the one limit or the other. Membership sets the flag with a grant for life (C-43).
alter table users add column has_lifetime_sessions boolean not null default false;
update users set has_lifetime_sessions = true where session_limit > 5;

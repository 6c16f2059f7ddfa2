-- Nothing reads these columns since 0086 (has_lifetime_sessions) and 0090 (member_reads). A node of the release before reads
-- them until it is replaced, so they go in a migration of their own.
alter table users drop column session_limit;
alter table reads drop column over_limit;

-- The documents behind the count of a member's reads (C-40). The count and its row are written in one statement, so that
-- neither a crash nor two requests at once read a document that is not counted.
create table member_reads (
  user_id bigint not null references users,
  document_id bigint not null references documents,
  -- Shanghai calendar month, YYYY-MM.
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  primary key (user_id, document_id, month)
);

-- Of the reads so far the newest are taken: those before the membership began were not counted.
insert into member_reads (user_id, document_id, month)
select user_id, document_id, month
from (
  select r.user_id, r.document_id, r.month, q.used,
    row_number() over (partition by r.user_id, r.month order by r.first_read_at desc, r.document_id) as place
  from reads r
  join quota_uses q on q.user_id = r.user_id and q.kind = 'read-month' and q.period = r.month
  where not r.over_limit
) as counted
where place <= used;
update quota_uses q
set used = (select count(*) from member_reads m where m.user_id = q.user_id and m.month = q.period)
where kind = 'read-month';

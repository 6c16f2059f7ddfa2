-- One phone earns one reward, also after the account of the invitee was erased, with which its invite is deleted. A keyed hash, without a person.
create table rewarded_phones (
  phone_index bytea primary key,
  rewarded_at timestamptz not null
);
insert into rewarded_phones (phone_index, rewarded_at)
select phone_index, decided_at from invites where phone_index is not null and decided_at is not null;
-- The column invites.phone_index is written no more and goes with a later release.

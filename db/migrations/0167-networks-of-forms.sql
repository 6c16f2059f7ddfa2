-- Keyed hash of the IPv6 network (/48) that a form came from, which one customer can rent: its addresses share a limit. Null for IPv4, and
-- once no limit needs it any more.
alter table infringement_reports add column network_index bytea;
alter table privacy_requests add column network_index bytea;
create index infringement_reports_by_network on infringement_reports (network_index, received_at) where network_index is not null;
create index privacy_requests_by_network on privacy_requests (network_index, received_at) where network_index is not null;

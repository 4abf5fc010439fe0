-- The same tables as in PostgreSQL, where a store may be spread over many machines and served by many nodes.

-- Grows with every change to what is derived by: devices, who sees them, fences, alert settings.
create table fleet_revisions (
  account_id integer not null primary key,
  revision integer not null
) strict;
insert into fleet_revisions (account_id, revision) select account_id, fleet_revision from accounts;
alter table accounts drop column fleet_revision;

-- Work that one node does for all. In SQLite there is only one.
create table leases (
  name text not null primary key,
  holder text not null,
  until integer not null
) strict;

-- Background work, account by account.
drop index changes_with_removals;
create index changes_with_removals on changes (account_id, changed_at) where removals;
drop index viewer_records_removed;
create index viewer_records_removed on viewer_records (account_id, changed_at) where removed;
drop index untimely_frames_by_receipt;
create index untimely_frames_by_receipt on untimely_frames (account_id, received_at);
drop index device_folds_rules;
create index device_folds_rules on device_folds (account_id, rules, device);
-- What is being erased must be found at once, in whatever account it is.
drop index devices_erasing;
alter table device_directory add column erasing_at integer;
update device_directory set erasing_at = (
    select d.erasing_at from devices d
    where d.account_id = device_directory.account_id and d.device = device_directory.device)
  where device in (select device from devices where erasing_at is not null);
create index device_directory_erasing on device_directory (account_id, device) where erasing_at is not null;
insert into sqlite_stat1 (tbl, idx, stat) values
  ('changes', 'changes_with_removals', '100000 10000 1'),
  ('viewer_records', 'viewer_records_removed', '10000 1000 1'),
  ('untimely_frames', 'untimely_frames_by_receipt', '10000 1000 1'),
  ('device_directory', 'device_directory_erasing', '10 1 1');
analyze sqlite_schema;

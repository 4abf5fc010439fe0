-- What a store needs that is spread over many machines, or served by many nodes.

-- Grows with every change to what is derived by: devices, who sees them, fences, alert settings. Every transaction that stores
-- frames holds its account's row, so it is where the account's frames are and not in `accounts`, which every machine has.
create table fleet_revisions (
  account_id bigint not null primary key,
  revision bigint not null
) with (fillfactor = 70);
insert into fleet_revisions (account_id, revision) select account_id, fleet_revision from accounts;
alter table accounts drop column fleet_revision;

-- Work that one node does for all: who does it, and until when by the database's clock.
create table leases (
  name text not null primary key,
  holder text not null,
  until bigint not null
);

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
alter table device_directory add column erasing_at bigint;
update device_directory set erasing_at = (
    select d.erasing_at from devices d
    where d.account_id = device_directory.account_id and d.device = device_directory.device)
  where device in (select device from devices where erasing_at is not null);
create index device_directory_erasing on device_directory (account_id, device) where erasing_at is not null;

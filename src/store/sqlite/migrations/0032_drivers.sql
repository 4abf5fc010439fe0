-- Who drives: the owner names the people, a tracker sends the id of a tag or card. A name is looked up when it is shown
-- (src/store/fleet/drivers.ts), so that a rename needs no derivation.
create table drivers (
  account_id integer not null,
  id text not null,
  name text not null,
  -- In ascending order. driver_tags has them once more, to be looked up by.
  driver_ids_json text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (account_id, id)
) strict, without rowid;
create table driver_tags (
  account_id integer not null,
  driver_id text not null,
  id text not null,
  primary key (account_id, driver_id)
) strict, without rowid;

-- The first id of the trip, and that of the newest valid frame. No released version stored any with a frame.
alter table trips add column driver_id text;
alter table latest_positions add column driver_id text;
-- Empty where no tracker sends drivers.
create index trips_by_driver on trips (account_id, driver_id, device, started_at) where driver_id is not null;

-- The record of a driver has revisions, too. A check cannot be changed here, so the table is made anew.
create table new_record_revisions (
  account_id integer not null,
  type text not null check (type in ('account', 'user', 'device', 'driver', 'geofence', 'alert_settings')),
  id text not null,
  revision integer not null,
  managed_by text not null check (managed_by in ('file', 'portal')),
  primary key (account_id, type, id)
) strict, without rowid;
insert into new_record_revisions select account_id, type, id, revision, managed_by from record_revisions;
drop table record_revisions;
alter table new_record_revisions rename to record_revisions;

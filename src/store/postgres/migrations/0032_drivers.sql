-- Who drives: the owner names the people, a tracker sends the id of a tag or card. A name is looked up when it is shown
-- (src/store/fleet/drivers.ts), so that a rename needs no derivation.
create table drivers (
  account_id bigint not null,
  id uuid not null,
  name text not null,
  -- In ascending order. driver_tags has them once more, to be looked up by.
  driver_ids_json text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (account_id, id)
);
create table driver_tags (
  account_id bigint not null,
  driver_id text not null,
  id uuid not null,
  primary key (account_id, driver_id)
);

-- The first id of the trip, and that of the newest valid frame. No released version stored any with a frame.
alter table trips add column driver_id text;
alter table latest_positions add column driver_id text;
-- Empty where no tracker sends drivers.
create index trips_by_driver on trips (account_id, driver_id, device, started_at) where driver_id is not null;

-- The record of a driver has revisions, too.
alter table record_revisions drop constraint record_revisions_type_check;
alter table record_revisions add constraint record_revisions_type_check
  check (type in ('account', 'user', 'device', 'driver', 'geofence', 'alert_settings'));

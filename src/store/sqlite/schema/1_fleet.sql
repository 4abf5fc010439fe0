-- Who and what there is: accounts, people, vehicles and their trackers, fences, rules, drivers. Most of it is what a fleet file loads.
-- `id` is always a public UUID. `account_id` and `device` are small internal numbers that key the large tables.
-- Times are UTC milliseconds. Columns named …_json hold text that no query looks into.

-- The customers. Everything below belongs to one of them.
create table accounts (
  account_id integer primary key,
  id text not null unique,
  name text not null,
  status text not null check (status in ('active', 'suspended')),
  limit_per_second integer not null check (limit_per_second > 0),
  limit_per_day integer not null check (limit_per_day > 0),
  created_at integer not null,
  updated_at integer not null,
  -- Of all its keys together; null: no such limit.
  limit_account_per_day integer check (limit_account_per_day > 0),
  -- Mileage is counted by days of this zone.
  time_zone text not null default 'UTC',
  -- The zones that it had before, separated by spaces. Days whose frames were dropped stay days of one of them.
  earlier_time_zones text not null default '',
  -- Since when it is being erased, in steps.
  erasing_at integer
) strict;

-- A number that grows with every change to what is derived by: devices, who sees them, fences, alert settings. Every transaction that
-- stores frames holds its account's row. On many machines it is where the account's frames are; `accounts` is on all.
create table fleet_revisions (
  account_id integer not null primary key,
  revision integer not null
) strict;

-- The people of an account: its owner, who sees all of it, and sub-accounts, who see what is assigned to them.
create table users (
  id text not null primary key,
  account_id integer not null references accounts,
  role text not null check (role in ('owner', 'sub_account')),
  name text not null,
  email text not null,
  -- The e-mail as it is compared: lower case.
  email_key text not null unique,
  password_hash text,
  status text not null check (status in ('active', 'disabled')),
  last_login_at integer,
  created_at integer not null,
  updated_at integer not null,
  -- Removed and kept: nobody sees it, and the e-mail is free for another.
  removed_at integer,
  removed_email text,
  -- Who chose the password. It counts by itself: a person who chooses one does not take name and e-mail from the file, and a file does
  -- not undo the choice.
  password_managed_by text not null default 'file' check (password_managed_by in ('file', 'portal')),
  -- The address that its person has confirmed; mails go to no other.
  confirmed_email text
) strict, without rowid;
create unique index users_one_owner on users (account_id) where role = 'owner';
create index users_by_account on users (account_id, id);

-- From IMEI and UUID to account and device, whatever the account. Small and read at every ingest: on many machines all have it.
create table device_directory (
  device integer primary key,
  account_id integer not null references accounts,
  imei text not null unique,
  id text not null unique,
  -- What is being erased is found here at once, in whatever account it is.
  erasing_at integer,
  tracker_protocol text
) strict;
create index device_directory_erasing on device_directory (account_id, device) where erasing_at is not null;

-- The vehicles, each with its tracker.
create table devices (
  account_id integer not null references accounts,
  device integer not null references device_directory,
  id text not null,
  imei text not null,
  name text not null,
  plate text,
  status text not null check (status in ('active', 'inactive', 'blocked')),
  vin text,
  vehicle_make text,
  vehicle_model text,
  vehicle_year integer,
  vehicle_type text,
  tracker_model text,
  fuel_tank_capacity_l real,
  tags_json text not null,
  external_ids_json text not null,
  -- Name, IMEI and plate, folded for the search.
  search_text text not null,
  created_at integer not null,
  updated_at integer not null,
  -- Removed and kept: nobody sees it, and the IMEI is free for another.
  removed_at integer,
  removed_imei text,
  -- Since when it is being erased: nobody sees, derives or restores it any more.
  erasing_at integer,
  -- A time zone, or how far its clock is ahead of UTC; null: it shows UTC.
  tracker_clock text,
  -- What it calls itself where that is no IMEI, and the protocol that it speaks.
  tracker_id text,
  tracker_protocol text,
  primary key (account_id, device)
) strict, without rowid;
-- What is known from frames is read without a row of the devices, so the indexes by id and status say what was removed.
create unique index devices_by_id on devices (account_id, id);
create unique index devices_by_imei on devices (account_id, imei);
create index devices_removed on devices (account_id, id) where removed_at is not null;
create index devices_in_sight on devices (account_id, id, removed_at);
create index devices_by_status on devices (account_id, status, id, removed_at);

-- The tags of a device over time, once they have changed: a vehicle that gets a tag today is not judged by its rules yesterday.
create table device_tag_versions (
  account_id integer not null,
  device integer not null,
  valid_from integer not null,
  tags_json text not null,
  primary key (account_id, device, valid_from),
  foreign key (account_id, device) references devices
) strict, without rowid;

-- Which sub-account sees which device; the owner sees all without a row. In the order of the devices' public ids, in which pages are read.
create table assignments (
  account_id integer not null,
  user_id text not null references users,
  id text not null,
  device integer not null,
  created_at integer not null,
  -- Of the device: found by it in one step, as by its id. How long that takes says nothing of the devices that may not be seen.
  imei text,
  primary key (account_id, user_id, id),
  foreign key (account_id, device) references devices
) strict, without rowid;
create unique index assignments_by_device on assignments (account_id, device, user_id);
create index assignments_by_imei on assignments (account_id, imei, user_id);

-- The fences. What they look like, and whose they are, is below, over time.
create table geofences (
  account_id integer not null references accounts,
  id text not null,
  name text not null,
  description text,
  color text,
  created_at integer not null,
  updated_at integer not null,
  removed_at integer,
  primary key (account_id, id)
) strict, without rowid;
create unique index geofences_by_id on geofences (id);

-- The shape of a fence over time. The first version also holds for all earlier time.
create table geofence_versions (
  account_id integer not null,
  geofence_id text not null,
  valid_from integer not null,
  shape text not null check (shape in ('circle', 'polygon', 'corridor')),
  geometry_json text not null,
  radius_m real,
  width_m real,
  bbox_json text not null,
  created_at integer not null,
  primary key (account_id, geofence_id, valid_from),
  foreign key (account_id, geofence_id) references geofences
) strict, without rowid;

-- All devices of a version of a fence. One that stays from one version to the next keeps its assigned_at.
create table geofence_assignments (
  account_id integer not null,
  geofence_id text not null,
  valid_from integer not null,
  device integer not null,
  assigned_at integer not null,
  primary key (account_id, geofence_id, valid_from, device),
  foreign key (account_id, geofence_id, valid_from) references geofence_versions,
  foreign key (account_id, device) references devices
) strict, without rowid;
create index geofence_assignments_by_device on geofence_assignments (account_id, device, geofence_id, valid_from);

-- The alert rules of a device over time. The first version also holds for all earlier time.
create table alert_settings_versions (
  account_id integer not null,
  device integer not null,
  valid_from integer not null,
  rules_json text not null,
  created_at integer not null,
  primary key (account_id, device, valid_from),
  foreign key (account_id, device) references devices
) strict, without rowid;

-- The same for the vehicles with a tag, or for all of the account (then the tag is empty).
create table rule_versions (
  account_id integer not null references accounts,
  tag text not null,
  valid_from integer not null,
  rules_json text not null,
  created_at integer not null,
  primary key (account_id, tag, valid_from)
) strict, without rowid;

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

-- Each tag of a driver.
create table driver_tags (
  account_id integer not null,
  driver_id text not null,
  id text not null,
  primary key (account_id, driver_id)
) strict, without rowid;

-- How often a record was changed, and where last: two people who edit one notice it, and `load` undoes nothing that a person did.
-- `id` is the record's own; of alert settings the device's, `tag:NAME` or `all`. No row: revision 1, managed by the file.
create table record_revisions (
  account_id integer not null,
  type text not null check (type in ('account', 'user', 'device', 'driver', 'geofence', 'alert_settings')),
  id text not null,
  revision integer not null,
  managed_by text not null check (managed_by in ('file', 'portal')),
  primary key (account_id, type, id)
) strict, without rowid;

-- Who did what and when. Rows are only added. They hold ids and names of fields, never what a vehicle or a person is called, so that
-- erasing one leaves its id and nothing else.
create table audit_log (
  account_id integer not null,
  -- A UUID of version 7: entries are in the order of their ids.
  entry_id text not null,
  at integer not null,
  actor text not null check (actor in ('user', 'command', 'file', 'stranger')),
  actor_id text,
  action text not null,
  -- What it was done to.
  type text not null,
  id text not null,
  details_json text,
  primary key (account_id, entry_id)
) strict, without rowid;
create index audit_log_by_record on audit_log (account_id, type, id);
create index audit_log_by_actor on audit_log (account_id, actor_id, entry_id);

-- How people want to read the portal: one row for a person, or for the account's people together (then the account's id).
create table preferences (
  account_id integer not null,
  whose text not null,
  -- Null: not chosen.
  language text,
  distance text,
  volume text,
  temperature text,
  clock text,
  week_start text,
  primary key (account_id, whose)
) strict, without rowid;

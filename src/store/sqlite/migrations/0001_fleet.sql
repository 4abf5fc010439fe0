-- Accounts, people, vehicles, fences, settings: what a fleet file loads.
-- `id` is always a public UUID. `account_id` and `device` are small internal numbers that key the large tables.
-- Times are UTC milliseconds. Columns named …_json hold text that no query looks into.

create table accounts (
  account_id integer primary key,
  id text not null unique,
  name text not null,
  status text not null check (status in ('active', 'suspended')),
  limit_per_second integer not null check (limit_per_second > 0),
  limit_per_day integer not null check (limit_per_day > 0),
  -- Grows with every change to what is derived by: devices, who sees them, fences, alert settings.
  fleet_revision integer not null default 0,
  created_at integer not null,
  updated_at integer not null
) strict;

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
  updated_at integer not null
) strict, without rowid;
create unique index users_one_owner on users (account_id) where role = 'owner';
create index users_by_account on users (account_id, id);

-- IMEI and UUID to account and device. Small and read at every ingest: in a distributed store it is copied to all nodes.
create table device_directory (
  device integer primary key,
  account_id integer not null references accounts,
  imei text not null unique,
  id text not null unique
) strict;

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
  primary key (account_id, device)
) strict, without rowid;
create unique index devices_by_id on devices (account_id, id);
create index devices_by_status on devices (account_id, status, id);
create unique index devices_by_imei on devices (account_id, imei);

-- Which sub-account sees which device. The owner sees all of them without a row here. Kept in the order of the devices'
-- public ids, in which pages are read.
create table assignments (
  account_id integer not null,
  user_id text not null references users,
  id text not null,
  device integer not null,
  created_at integer not null,
  primary key (account_id, user_id, id),
  foreign key (account_id, device) references devices
) strict, without rowid;
create unique index assignments_by_device on assignments (account_id, device, user_id);

-- Two counters per viewer, each grown in the transaction that changes what the viewer sees: revision of the live positions,
-- devices_revision of the devices.
create table viewer_revisions (
  account_id integer not null,
  user_id text not null references users,
  revision integer not null,
  devices_revision integer not null default 0,
  primary key (account_id, user_id)
) strict, without rowid;

create table geofences (
  account_id integer not null references accounts,
  id text not null,
  name text not null,
  description text,
  color text,
  created_at integer not null,
  updated_at integer not null,
  primary key (account_id, id)
) strict, without rowid;
create unique index geofences_by_id on geofences (id);

-- A fence over time: its shape and, below, its devices. The first version also holds for all earlier time.
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

-- All devices of a fence's version. A device that stays from one version to the next keeps its assigned_at.
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

-- A device's alert rules over time. The first version also holds for all earlier time.
create table alert_settings_versions (
  account_id integer not null,
  device integer not null,
  valid_from integer not null,
  rules_json text not null,
  created_at integer not null,
  primary key (account_id, device, valid_from),
  foreign key (account_id, device) references devices
) strict, without rowid;

-- SQLite measures nothing by itself, and takes an account for one with ten rows: then any index seems as good as another.
-- These are the proportions of a large fleet (rows in all, then by each further column of the key), for all tables that
-- have a choice of indexes. `analyze` makes the table that holds them.
analyze;
insert into sqlite_stat1 (tbl, idx, stat) values
  ('devices', 'devices', '100000 10000 1'),
  ('devices', 'devices_by_id', '100000 10000 1'),
  ('devices', 'devices_by_imei', '100000 10000 1'),
  ('devices', 'devices_by_status', '100000 10000 3000 1'),
  ('assignments', 'assignments', '100000 10000 100 1'),
  ('assignments', 'assignments_by_device', '100000 10000 2 1'),
  ('geofences', 'geofences', '10000 1000 1'),
  ('geofences', 'geofences_by_id', '10000 1'),
  ('geofence_versions', 'geofence_versions', '20000 2000 2 1'),
  ('geofence_assignments', 'geofence_assignments', '200000 20000 20 10 1'),
  ('geofence_assignments', 'geofence_assignments_by_device', '200000 20000 20 2 1');

-- What 2.0 changes in the tables of 1.4.0. Until 2.0 is released this file grows; from then on it never changes.

-- Only readings were rewritten in an order that begins with their kind, and that was before 1.2.
alter table carried_over drop column kind;

-- Rules 6: devices are derived again, and a program of earlier rules must not go on from their states.
update store_forms set form = 6 where name = 'rules';

-- Frames and live positions may say that their time is that of their receipt. Those that are stored do not.
update store_forms set form = 4 where name = 'frames';
update store_forms set form = 2 where name = 'live_positions';

-- What a vehicle came without being driven. Null of rows whose frames are gone.
alter table trips add column carried_mm integer;
alter table mileage_days add column carried_mm integer;

-- Who drove, first to last, of trips with a handover. Null of the others, and of those whose frames are gone.
alter table trips add column drivers_json text;
create index trips_by_handover on trips (account_id, device, started_at) where drivers_json is not null;

-- Frames that wait for their block share a row with those of neighbouring devices of the account that came together. A number for
-- each eight; null: the device has sent nothing since there are such rows.
alter table device_folds add column neighbours integer;
create index device_folds_neighbours on device_folds (account_id, neighbours) where neighbours is not null;

-- An ordinary table with an index: in a table without rowid a row of this size would need a page of its own.
create table shared_frames (
  account_id integer not null,
  neighbours integer not null,
  -- The first of the frames in it, which no other row has.
  from_at integer not null,
  device integer not null,
  digest integer not null,
  -- The time of the last.
  until_at integer not null,
  -- As src/store/blocks/shared-lines.ts writes them.
  lines text not null,
  primary key (account_id, neighbours, from_at, device, digest)
) strict;

-- By driver, for the list of drivers. Empty where no tracker sends them.
create index latest_positions_by_driver on latest_positions (account_id, driver_id, device) where driver_id is not null;

-- When the person last looked at the alerts: what became known since is new to them. Null: never.
alter table users add column alerts_seen_at integer;

-- The language of the browser in which the person last signed in: mails are in it, unless one was chosen. Null: nobody knows.
alter table users add column spoken_language text;

-- Accounts with a made-up fleet: that of the demo command, and one that an owner looks at beside their own.
create table demo_accounts (
  id text primary key,
  -- Null: it is not made yet.
  account_id integer,
  -- The account whose owner wants it; null: the demo command made it.
  wanted_by integer,
  wanted_at integer not null,
  -- How far it is made.
  state_json text,
  -- Whether there is enough of it to look at.
  is_ready integer not null,
  -- Null: it stays.
  ends_at integer
) strict, without rowid;

create index demo_accounts_by_account on demo_accounts (account_id) where account_id is not null;

-- Mails of such accounts: they are shown in the portal, and never sent.
create table kept_mails (
  account_id integer not null,
  id text not null,
  name text not null,
  email text not null,
  subject text not null,
  body text not null,
  html text not null,
  -- Names of the files.
  attachments_json text not null,
  kept_at integer not null,
  primary key (account_id, id)
) strict;
create index kept_mails_by_time on kept_mails (account_id, kept_at, id);

-- Followers hear of drivers.
alter table viewer_revisions add column driver_changes integer not null default 0;

create table viewer_records_of_2 (
  account_id integer not null,
  user_id text not null,
  type text not null check (type in ('device', 'geofence', 'user', 'alert_settings', 'driver')),
  id text not null,
  number integer not null,
  changed_at integer not null,
  removed integer not null default 0,
  -- Since which number it is in sight.
  since integer not null default 0,
  -- Of a tag that nobody has named, which has no id of its own: it. Null of all others.
  driver_id text,
  primary key (account_id, user_id, type, id)
) strict, without rowid;
insert into viewer_records_of_2 (account_id, user_id, type, id, number, changed_at, removed, since)
  select account_id, user_id, type, id, number, changed_at, removed, since from viewer_records;
drop table viewer_records;
alter table viewer_records_of_2 rename to viewer_records;
create index viewer_records_by_number on viewer_records (account_id, user_id, number, type, id);
create index viewer_records_removed on viewer_records (account_id, changed_at) where removed;

-- What 2.0 changes in the tables of 1.4.0. Until 2.0 is released this file grows; from then on it never changes.

-- Only readings were rewritten in an order that begins with their kind, and that was before 1.2.
alter table carried_over drop column kind;

-- Rules 6: devices are derived again, and a program of earlier rules must not go on from their states.
update store_forms set form = 6 where name = 'rules';

-- Frames and live positions may say that their time is that of their receipt. Those that are stored do not.
update store_forms set form = 4 where name = 'frames';
update store_forms set form = 2 where name = 'live_positions';

-- What a vehicle came without being driven. Null of rows whose frames are gone.
alter table trips add column carried_mm bigint;
alter table mileage_days add column carried_mm bigint;

-- Who drove, first to last, of trips with a handover. Null of the others, and of those whose frames are gone.
alter table trips add column drivers_json text;
create index trips_by_handover on trips (account_id, device, started_at) where drivers_json is not null;

-- Frames that wait for their block share a row with those of neighbouring devices of the account that came together. A number for
-- each eight; null: the device has sent nothing since there are such rows.
alter table device_folds add column neighbours bigint;
create index device_folds_neighbours on device_folds (account_id, neighbours) where neighbours is not null;

create table shared_frames (
  account_id bigint not null,
  neighbours bigint not null,
  -- The first of the frames in it, which no other row has.
  from_at bigint not null,
  device bigint not null,
  digest bigint not null,
  -- The time of the last.
  until_at bigint not null,
  -- As src/store/blocks/shared-lines.ts writes them.
  lines text not null,
  primary key (account_id, neighbours, from_at, device, digest)
)
-- Each row is removed soon: without this the table would grow to many times its size at full rate.
with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- By driver, for the list of drivers. Empty where no tracker sends them.
create index latest_positions_by_driver on latest_positions (account_id, driver_id, device) where driver_id is not null;

-- When the person last looked at the alerts: what became known since is new to them. Null: never.
alter table users add column alerts_seen_at bigint;

-- The language of the browser in which the person last signed in: mails are in it, unless one was chosen. Null: nobody knows.
alter table users add column spoken_language text;

-- Accounts with a made-up fleet: that of the demo command, and one that an owner looks at beside their own.
create table demo_accounts (
  id uuid primary key,
  -- Null: it is not made yet.
  account_id bigint,
  -- The account whose owner wants it; null: the demo command made it.
  wanted_by bigint,
  wanted_at bigint not null,
  -- How far it is made.
  state_json text,
  -- Whether there is enough of it to look at.
  is_ready boolean not null,
  -- Null: it stays.
  ends_at bigint
);

create index demo_accounts_by_account on demo_accounts (account_id) where account_id is not null;

-- Mails of such accounts: they are shown in the portal, and never sent.
create table kept_mails (
  account_id bigint not null,
  id uuid not null,
  name text not null,
  email text not null,
  subject text not null,
  body text not null,
  html text not null,
  -- Names of the files.
  attachments_json text not null,
  kept_at bigint not null,
  primary key (account_id, id)
);
create index kept_mails_by_time on kept_mails (account_id, kept_at, id);

-- Followers hear of drivers.
alter table viewer_revisions add column driver_changes bigint not null default 0;

alter table viewer_records drop constraint viewer_records_type_check;
alter table viewer_records add constraint viewer_records_type_check
  check (type in ('device', 'geofence', 'user', 'alert_settings', 'driver'));
-- Of a tag that nobody has named, which has no id of its own: it. Null of all others.
alter table viewer_records add column driver_id text;

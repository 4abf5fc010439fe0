-- What a follower learns: which records changed, in the order in which they were committed.

-- Counters of a viewer, each grown in the transaction that changes what the viewer sees. The owner's are the account's: user_id is all
-- zeros. Every transaction that changes anything of an account raises `changes` of that row, and holds the row until it commits. So
-- the numbers are in the order of the commits, and who sees a number sees everything up to it. A sub-account's `changes` is the last
-- number that it may see something of.
create table viewer_revisions (
  account_id bigint not null,
  user_id uuid not null,
  -- Of the live positions, and of the devices.
  revision bigint not null,
  devices_revision bigint not null default 0,
  changes bigint not null default 0,
  -- The last number by type: who asks for trips need not look while only positions come, and who may read crossings must not notice
  -- alerts.
  position_changes bigint not null default 0,
  reading_changes bigint not null default 0,
  trip_changes bigint not null default 0,
  mileage_changes bigint not null default 0,
  -- Of the account: the last removal that was forgotten.
  forgotten bigint not null default 0,
  -- Of the account: up to here the log has one entry a day for each device.
  thinned bigint not null default 0,
  stop_changes bigint not null default 0,
  alert_changes bigint not null default 0,
  geofence_event_changes bigint not null default 0,
  device_changes bigint not null default 0,
  geofence_changes bigint not null default 0,
  user_changes bigint not null default 0,
  alert_settings_changes bigint not null default 0,
  primary key (account_id, user_id)
);

-- What each transaction has changed of a device's frames and facts. Frames themselves have no number: a year of them would have to
-- carry it.
create table changes (
  account_id bigint not null,
  number bigint not null,
  -- A row may be about several devices: then the least of them, negated (src/store/changes/change-entries.ts).
  device bigint not null,
  changed_at bigint not null,
  -- Periods and removed ids, as src/domain/changes/ writes them. Not always JSON.
  content text not null,
  -- Whether it is about alerts or crossings, about readings, and whether anything was removed: few are, and who follows only these need
  -- not walk the others.
  events boolean not null,
  readings boolean not null,
  removals boolean not null,
  -- Whether it is found by its device: if a sub-account sees that, and once it was merged. An index of all would cost as much as the log
  -- itself.
  by_device boolean not null,
  primary key (account_id, number, device)
);
create unique index changes_by_device on changes (account_id, device, number) where by_device;
create index changes_of_events on changes (account_id, number, device) where events;
create index changes_of_events_by_device on changes (account_id, device, number) where events;
create index changes_of_readings on changes (account_id, number, device) where readings;
create index changes_with_removals on changes (account_id, changed_at) where removals;

-- The fleet's own records (devices, fences, users, alert settings) that a viewer sees, or saw: one row each, with the number of the last
-- change. The account's row of a record is what the owner sees. Number 0: as it was before there were numbers.
create table viewer_records (
  account_id bigint not null,
  user_id uuid not null,
  type text not null check (type in ('device', 'geofence', 'user', 'alert_settings')),
  id uuid not null,
  number bigint not null,
  changed_at bigint not null,
  removed boolean not null default false,
  -- Since which number it is in sight.
  since bigint not null default 0,
  primary key (account_id, user_id, type, id)
);
create index viewer_records_by_number on viewer_records (account_id, user_id, number, type, id);
create index viewer_records_removed on viewer_records (account_id, changed_at) where removed;

-- The last forgotten removal by device and type, or by viewer and type (then device is 0).
create table forgotten_removals (
  account_id bigint not null,
  device bigint not null,
  user_id uuid not null,
  type text not null,
  number bigint not null,
  primary key (account_id, device, user_id, type)
);

-- What a follower is told: which records changed, in the order in which they were committed.

-- The owner's counters become the account's: user_id is all zeros. Every transaction that changes anything of an account
-- raises `changes` of that row, and holds the row until it commits. So the numbers are in the order of the commits, and
-- whoever sees a number sees everything up to it. A sub-account's `changes` is the last number that it may see something of.
create table viewer_counters (
  account_id integer not null,
  user_id text not null,
  revision integer not null,
  devices_revision integer not null default 0,
  changes integer not null default 0,
  -- The last number by what it was about: a viewer who asks for trips need not look while only positions come.
  position_changes integer not null default 0,
  reading_changes integer not null default 0,
  trip_changes integer not null default 0,
  event_changes integer not null default 0,
  mileage_changes integer not null default 0,
  record_changes integer not null default 0,
  -- Of the account: the last removal that was forgotten.
  forgotten integer not null default 0,
  -- Of the account: up to here the log has one entry a day for each device.
  thinned integer not null default 0,
  primary key (account_id, user_id)
) strict, without rowid;
insert into viewer_counters (account_id, user_id, revision, devices_revision)
  select v.account_id, case when u.role = 'owner' then '00000000-0000-0000-0000-000000000000' else v.user_id end,
    v.revision, v.devices_revision
  from viewer_revisions v join users u on u.id = v.user_id;
drop table viewer_revisions;
alter table viewer_counters rename to viewer_revisions;

-- What each transaction has changed of a device's frames and facts: periods and removed ids, as src/domain/changes/
-- writes them. Frames themselves have no number: a year of them would have to carry it.
create table changes (
  account_id integer not null,
  number integer not null,
  device integer not null,
  changed_at integer not null,
  content_json text not null,
  -- Whether it is about alerts or crossings, about readings, and whether anything was removed: few are, and who follows
  -- only these need not walk the others.
  events integer not null,
  readings integer not null,
  removals integer not null,
  -- Whether it is found by its device: if a sub-account sees that, and once it was merged. An index of all would cost
  -- as much as the log itself.
  by_device integer not null,
  primary key (account_id, number, device)
) strict, without rowid;
create unique index changes_by_device on changes (account_id, device, number) where by_device;
create index changes_of_events on changes (account_id, number, device) where events;
create index changes_of_events_by_device on changes (account_id, device, number) where events;
create index changes_of_readings on changes (account_id, number, device) where readings;
create index changes_with_removals on changes (changed_at) where removals;

-- The fleet's own records (devices, fences, users, alert settings) that a viewer sees, or saw: one row each, with the number of
-- the last change. The account's row of a record is what the owner sees. Number 0: as it was when this table was made.
create table viewer_records (
  account_id integer not null,
  user_id text not null,
  type text not null check (type in ('device', 'geofence', 'user', 'alert_settings')),
  id text not null,
  number integer not null,
  changed_at integer not null,
  removed integer not null default 0,
  -- Since which number it is in sight.
  since integer not null default 0,
  primary key (account_id, user_id, type, id)
) strict, without rowid;
create index viewer_records_by_number on viewer_records (account_id, user_id, number, type, id);
create index viewer_records_removed on viewer_records (changed_at) where removed;
insert into viewer_records (account_id, user_id, type, id, number, changed_at)
  select account_id, user_id, 'device', id, 0, created_at from assignments;
insert into viewer_records (account_id, user_id, type, id, number, changed_at)
  select distinct a.account_id, a.user_id, 'geofence', m.geofence_id, 0, 0
  from assignments a join geofence_assignments m on m.account_id = a.account_id and m.device = a.device
  where m.valid_from = (
    select max(v.valid_from) from geofence_versions v
    where v.account_id = m.account_id and v.geofence_id = m.geofence_id);

-- The last forgotten removal by device and type, or by viewer and type (then device is 0).
create table forgotten_removals (
  account_id integer not null,
  device integer not null,
  user_id text not null,
  type text not null,
  number integer not null,
  primary key (account_id, device, user_id, type)
) strict, without rowid;

insert into sqlite_stat1 (tbl, idx, stat) values
  ('changes', 'changes', '100000000 10000000 100 1'),
  ('changes', 'changes_by_device', '100000000 10000000 10000 1'),
  ('changes', 'changes_of_events', '1000000 100000 10 1'),
  ('changes', 'changes_of_events_by_device', '1000000 100000 100 1'),
  ('changes', 'changes_of_readings', '10000000 1000000 100 1'),
  ('changes', 'changes_with_removals', '100000 1'),
  ('viewer_records', 'viewer_records', '100000 10000 1000 500 1'),
  ('viewer_records', 'viewer_records_by_number', '100000 10000 1000 10 2 1'),
  ('viewer_records', 'viewer_records_removed', '10000 1');
analyze sqlite_schema;

-- The store's own affairs.

-- What is packed into a column has a form that no schema shows. Its number is here, so that a program knows what it reads
-- (src/store/forms.ts).
create table store_forms (
  name text not null primary key,
  form integer not null
) strict, without rowid;
insert into store_forms (name, form) values ('frames', 3), ('fold_states', 5), ('live_positions', 1), ('rules', 5);

-- What all nodes must share, such as the secret that signs cursors.
create table secrets (
  name text not null primary key,
  value text not null,
  created_at integer not null
) strict, without rowid;

-- Work that one node does for all. In SQLite there is only one.
create table leases (
  name text not null primary key,
  holder text not null,
  until integer not null
) strict;

-- Accounts in which there may be work for the background: what kind, and from when on. Each mark is a row of its own, so that nobody
-- waits for another's, and one that comes while the work is done is not lost.
create table account_marks (
  mark integer not null primary key,
  work text not null,
  account_id integer not null,
  due_at integer not null
);
create index account_marks_by_time on account_marks (work, due_at);
create index account_marks_by_account on account_marks (work, account_id);

-- Up to which row of an old table everything is rewritten (src/store/conversion.ts).
create table carried_over (
  name text not null primary key,
  account_id integer not null,
  device integer not null,
  recorded_at integer not null,
  digest integer not null,
  -- How many rows that were, of whichever program.
  done integer not null,
  kind text not null default ''
) strict, without rowid;

-- What erasing leaves to be done: `unpurged` counts what was erased and may still be in the store's files. And of accounts and devices
-- the highest number that was ever erased: SQLite would give it out again, and what remembers something by it would take the new one
-- for the old.
create table erasure_notes (
  name text not null primary key,
  number integer not null
) strict, without rowid;
insert into erasure_notes (name, number) values ('accounts', 0), ('devices', 0), ('unpurged', 0);
create trigger accounts_numbers after insert on accounts
  when new.account_id <= (select number from erasure_notes where name = 'accounts')
begin
  update accounts set account_id = (select number from erasure_notes where name = 'accounts') + 1
    where account_id = new.account_id;
end;
create trigger devices_numbers after insert on device_directory
  when new.device <= (select number from erasure_notes where name = 'devices')
begin
  update device_directory set device = (select number from erasure_notes where name = 'devices') + 1
    where device = new.device;
end;

-- SQLite measures nothing by itself, and takes an account for one with ten rows: then any index seems as good as another.
-- These are the proportions of a large fleet (rows in all, then by each further column of the key), for the tables that have a choice of
-- indexes. `analyze` makes the table that holds them.
analyze;
delete from sqlite_stat1;
insert into sqlite_stat1 (tbl, idx, stat) values
  ('users', 'users_one_owner', '0 0'),
  ('device_directory', 'device_directory_erasing', '10 1 1'),
  ('devices', 'devices', '100000 10000 1'),
  ('devices', 'devices_by_id', '100000 10000 1'),
  ('devices', 'devices_by_imei', '100000 10000 1'),
  ('devices', 'devices_in_sight', '100000 10000 1 1'),
  ('devices', 'devices_by_status', '100000 10000 3000 1 1'),
  ('devices', 'devices_removed', '10000 1000 1'),
  ('assignments', 'assignments', '100000 10000 100 1'),
  ('assignments', 'assignments_by_device', '100000 10000 2 1'),
  ('geofences', 'geofences', '10000 1000 1'),
  ('geofences', 'geofences_by_id', '10000 1'),
  ('geofence_versions', 'geofence_versions', '20000 2000 2 1'),
  ('geofence_assignments', 'geofence_assignments', '200000 20000 20 10 1'),
  ('geofence_assignments', 'geofence_assignments_by_device', '200000 20000 20 2 1'),
  ('tracker_names', 'tracker_names', '100000 1'),
  ('tracker_names', 'tracker_names_by_device', '100000 1'),
  ('tracker_names', 'tracker_names_by_change', '100000 1'),
  ('expected_trackers', 'expected_trackers_by_key', '10000 1'),
  ('recent_frames', 'recent_frames', '100000 10000 20 1 1'),
  ('frame_blocks', 'sqlite_autoindex_frame_blocks_1', '1000000 100000 100 1'),
  ('frame_blocks', 'frame_blocks_by_kinds', '500000 50000 50 1 1'),
  ('untimely_frames', 'untimely_frames', '10000 1000 10 1 1'),
  ('untimely_frames', 'untimely_frames_by_receipt', '10000 1000 1'),
  ('readings', 'readings', '100000000 10000000 3000000 2 1'),
  ('reading_blocks', 'sqlite_autoindex_reading_blocks_1', '1000000 100000 100 1'),
  ('reading_blocks', 'reading_blocks_by_kinds', '500000 50000 50 1 1'),
  ('latest_positions', 'latest_positions', '100000 10000 1'),
  ('trips', 'trips', '10000000 1000000 1000 1 1'),
  ('trips', 'trips_by_final', '10000000 1000000 1000 1'),
  ('trips', 'trips_by_start', '10000000 1000000 1 1'),
  ('trips', 'trips_by_length', '10000000 1000000 200000 1 1 1'),
  ('stops', 'stops', '10000000 1000000 1000 1 1'),
  ('stops', 'stops_by_final', '10000000 1000000 1000 1'),
  ('stops', 'stops_by_start', '10000000 1000000 1 1'),
  ('stops', 'stops_by_length', '10000000 1000000 100000 1 1 1 1'),
  ('stops', 'stops_in_fences', '1000000 100000 1 1 1 1'),
  ('stops', 'stops_in_fences_by_length', '1000000 100000 10000 1 1 1 1 1'),
  ('alerts', 'alerts', '10000000 1000000 1000 1 1'),
  ('alerts', 'alerts_by_final', '10000000 1000000 1000 1'),
  ('alerts', 'alerts_by_id', '10000000 1000000 1'),
  ('alerts', 'alerts_by_time', '10000000 1000000 1 1 1'),
  ('alerts', 'alerts_by_type', '10000000 1000000 100000 1 1 1 1 1'),
  ('alerts', 'alerts_by_severity', '10000000 1000000 300000 1 1 1 1'),
  ('alerts', 'alerts_by_acknowledged', '10000000 1000000 500000 1 1 1'),
  ('alerts', 'alerts_by_value', '10000000 1000000 1000 1 1'),
  ('alerts', 'alerts_withdrawn', '10000 100 2'),
  ('geofence_events', 'geofence_events', '10000000 1000000 1000 1 1'),
  ('geofence_events', 'geofence_events_by_final', '10000000 1000000 1000 1'),
  ('geofence_events', 'geofence_events_by_time', '10000000 1000000 1 1'),
  ('changes', 'changes', '100000000 10000000 100 1'),
  ('changes', 'changes_by_device', '100000000 10000000 10000 1'),
  ('changes', 'changes_of_events', '1000000 100000 10 1'),
  ('changes', 'changes_of_events_by_device', '1000000 100000 100 1'),
  ('changes', 'changes_of_readings', '10000000 1000000 100 1'),
  ('changes', 'changes_with_removals', '100000 10000 1'),
  ('viewer_records', 'viewer_records', '100000 10000 1000 500 1'),
  ('viewer_records', 'viewer_records_by_number', '100000 10000 1000 10 2 1'),
  ('viewer_records', 'viewer_records_removed', '10000 1000 1'),
  ('notification_choices', 'notification_choices', '10000 20 1'),
  ('notification_choices', 'notification_choices_by_user', '10000 20 3 1 1'),
  ('notification_items', 'notification_items', '1000000 10000 1000 1 1'),
  ('notification_items', 'notification_items_due', '10000 100 1'),
  ('notification_items', 'notification_items_by_alert', '1000000 10000 2'),
  ('notification_items', 'notification_items_by_mail', '1000000 10000 10'),
  ('notification_items', 'notification_items_by_device', '1000000 10000 100'),
  ('notification_items', 'notification_items_by_age', '1000000 10000 1'),
  ('notification_mails', 'notification_mails', '100000 1000 1'),
  ('notification_mails', 'notification_mails_waiting', '1000 10 1'),
  ('notification_mails', 'notification_mails_by_time', '100000 1000 1 1');
-- Makes this connection read the proportions; others find them when they open.
analyze sqlite_schema;

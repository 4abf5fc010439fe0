-- Frames as they came, with their verdict beside them; the live position; and the state of each device's fold.
-- What a tracker reports is one text, fields_json: a JSON array of the values alone, in the order of reported.ts, and so
-- exactly as they were sent. No query looks into it, and a column for each would take longer to read than all the rest
-- of a page takes (docs/decisions/0008).

create table frames (
  account_id integer not null,
  device integer not null,
  recorded_at integer not null,
  -- 53 bits of a hash of the content: the same frame sent twice is one row, and order never depends on arrival.
  digest integer not null,
  received_at integer not null,
  packed text not null,
  fix integer,
  source text,
  sensors_json text,
  valid integer not null,
  reject_reason text,
  discontinuity integer not null,
  primary key (account_id, device, recorded_at, digest)
) strict, without rowid;

-- One row per device that ever sent a frame. The position is null until a valid one came. The odometer stands beside the
-- fields because devices show it, too.
create table latest_positions (
  account_id integer not null,
  device integer not null,
  revision integer not null,
  last_seen_at integer not null,
  recorded_at integer,
  received_at integer,
  fields_json text,
  odometer_m integer,
  discontinuity integer,
  ignition_since integer,
  trip_id text,
  geofence_ids_json text,
  primary key (account_id, device)
) strict, without rowid;
create index latest_positions_by_last_seen on latest_positions (account_id, last_seen_at);

-- The state after the last folded frame of a device.
create table device_folds (
  account_id integer not null,
  device integer not null,
  head_recorded_at integer not null,
  head_digest integer not null,
  state_json text not null,
  updated_at integer not null,
  primary key (account_id, device)
) strict, without rowid;

-- States to rewind to when a late frame comes.
create table fold_checkpoints (
  account_id integer not null,
  device integer not null,
  recorded_at integer not null,
  digest integer not null,
  state_json text not null,
  primary key (account_id, device, recorded_at, digest)
) strict, without rowid;

insert into sqlite_stat1 (tbl, idx, stat) values
  ('latest_positions', 'latest_positions', '100000 10000 1'),
  ('latest_positions', 'latest_positions_by_last_seen', '100000 10000 1');

-- Frames as they came, with their verdict beside them; the live position; and the state of each device's fold.
-- What a tracker reports is one text, exactly as it was sent. No query looks into it, and a column for each value would take
-- longer to read than all the rest of a page takes (docs/decisions/0008). Of frames it is `packed`, with times and verdict, as
-- packed-frame.ts makes it (0009); of the live position `fields_json`, a JSON array of the values alone, in the order of
-- reported.ts.

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

-- How far each device's frames are folded. The head is the last frame in the order; frames whose time alone is bad are not
-- in it. revision grows with every change to the device's frames or facts, so that whoever keeps a fold in memory knows
-- whether it is still the newest.
create table device_folds (
  account_id integer not null,
  device integer not null,
  revision integer not null,
  head_recorded_at integer,
  head_digest integer,
  -- Between these, both included, are frames whose facts are still to be derived; null: there are none.
  dirty_from integer,
  dirty_until integer,
  -- The last of the frames whose time alone is bad, which are not in the order and may be later than its head.
  untimely_until integer,
  -- Frames up to here were dropped by retention; what was derived from them stays.
  dropped_until integer,
  -- When the alert began that says the device is offline, as long as it lasts.
  offline_since integer,
  primary key (account_id, device)
) strict, without rowid;
create index device_folds_dirty on device_folds (account_id, device) where dirty_from is not null;

-- States of folds to begin from: after a restart, and when a late frame comes. Each is the state after all frames up to its
-- moment; they are a convenience, and could all be made again from the frames.
create table fold_checkpoints (
  account_id integer not null,
  device integer not null,
  recorded_at integer not null,
  digest integer not null,
  state_json text not null,
  primary key (account_id, device, recorded_at, digest)
) strict, without rowid;

insert into sqlite_stat1 (tbl, idx, stat) values
  ('latest_positions', 'latest_positions', '100000 10000 1');

-- Frames as they came, with their verdict beside them; the live position; and the state of each device's fold.
-- What a tracker reports is one text, fields_json: a JSON array of the values alone, in the order of reported.ts, and so
-- exactly as they were sent. No query looks into it, and a column for each would take longer to read than all the rest
-- of a page takes (docs/decisions/0008).

create table frames (
  account_id bigint not null,
  device bigint not null,
  recorded_at bigint not null,
  -- 53 bits of a hash of the content: the same frame sent twice is one row, and order never depends on arrival.
  digest bigint not null,
  received_at bigint not null,
  packed text not null,
  fix boolean,
  source text,
  sensors_json text,
  valid boolean not null,
  reject_reason text,
  discontinuity boolean not null,
  primary key (account_id, device, recorded_at, digest)
) partition by range (recorded_at);

-- Months are made ahead of need by partitions.ts. Times outside of them (a tracker with a broken clock) go here.
create table frames_default partition of frames default;

-- One row per device that ever sent a frame. The position is null until a valid one came. The odometer stands beside the
-- fields because devices show it, too.
create table latest_positions (
  account_id bigint not null,
  device bigint not null,
  revision bigint not null,
  last_seen_at bigint not null,
  recorded_at bigint,
  received_at bigint,
  fields_json text,
  odometer_m bigint,
  discontinuity boolean,
  ignition_since bigint,
  trip_id uuid,
  geofence_ids_json text,
  primary key (account_id, device)
) with (fillfactor = 70);
create index latest_positions_by_last_seen on latest_positions (account_id, last_seen_at);

-- The state after the last folded frame of a device.
create table device_folds (
  account_id bigint not null,
  device bigint not null,
  head_recorded_at bigint not null,
  head_digest bigint not null,
  state_json text not null,
  updated_at bigint not null,
  primary key (account_id, device)
) with (fillfactor = 70);

-- States to rewind to when a late frame comes.
create table fold_checkpoints (
  account_id bigint not null,
  device bigint not null,
  recorded_at bigint not null,
  digest bigint not null,
  state_json text not null,
  primary key (account_id, device, recorded_at, digest)
);

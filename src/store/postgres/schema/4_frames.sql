-- Frames as they came, with their verdict beside them, and what was read from them at once: readings of sensors, the live position.
-- What a tracker reports is one text, exactly as it was sent. No query looks into it, and a column for each value would take longer to
-- read than all the rest of a page takes (docs/decisions/0008). The frames of a device are in blocks of about 120, and the newest few
-- in rows of their own (docs/decisions/0021).

-- The newest frames of a device: later than all its blocks.
create table recent_frames (
  account_id bigint not null,
  device bigint not null,
  recorded_at bigint not null,
  -- 53 bits of a hash of the content: the same frame sent twice is one row, and order never depends on arrival.
  digest bigint not null,
  -- The first receipt.
  received_at bigint not null,
  -- Of a frame that was from the future by it, because the server's clock was slow: the first receipt that said otherwise.
  timely_at bigint,
  -- The rest, as src/store/blocks/frame-line.ts writes it.
  content text not null,
  primary key (account_id, device, recorded_at, digest)
)
-- Each row is removed soon: without this the table would grow to many times its size at full rate.
with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

-- All other frames. Blocks of a device never overlap, and frames of one time are in one block. `body` is written by src/store/blocks/.
create table frame_blocks (
  account_id bigint not null,
  device bigint not null,
  -- The times of its first and its last frame.
  from_at bigint not null,
  until_at bigint not null,
  count integer not null,
  -- When the last of them was received.
  received_until bigint not null,
  -- Which kinds of sensors its frames have: 1 fuel, 2 temperature, 4 tyre.
  kinds integer not null,
  body bytea not null,
  primary key (account_id, device, from_at)
);
-- Compressed already.
alter table frame_blocks alter column body set storage external;
-- Many devices have no sensors, and many frames of the others no readings.
create index frame_blocks_by_kinds on frame_blocks (account_id, device, from_at, kinds) where kinds > 0;

-- Frames whose time is not believed have no place in the order of a device, and are dropped by their receipt.
create table untimely_frames (
  account_id bigint not null,
  device bigint not null,
  recorded_at bigint not null,
  digest bigint not null,
  received_at bigint not null,
  timely_at bigint,
  content text not null,
  primary key (account_id, device, recorded_at, digest)
);
create index untimely_frames_by_receipt on untimely_frames (account_id, received_at);

-- One narrow row for each kind of sensor and moment of a device: what its readings say is in its frames. There may be one for each frame.
create table readings (
  recorded_at bigint not null,
  account_id integer not null,
  device integer not null,
  -- 1 fuel, 2 temperature, 4 tyre.
  kind smallint not null,
  primary key (account_id, kind, recorded_at, device)
);

-- Readings outlive their frames: what is left of frames that were dropped, in blocks like those of frames.
create table reading_blocks (
  account_id bigint not null,
  device bigint not null,
  from_at bigint not null,
  until_at bigint not null,
  count integer not null,
  received_until bigint not null,
  kinds integer not null,
  body bytea not null,
  primary key (account_id, device, from_at)
);
alter table reading_blocks alter column body set storage external;
create index reading_blocks_by_kinds on reading_blocks (account_id, device, from_at, kinds) where kinds > 0;

-- One row per device that ever sent a frame. The position is null until a valid one came.
create table latest_positions (
  account_id bigint not null,
  device bigint not null,
  revision bigint not null,
  last_seen_at bigint not null,
  recorded_at bigint,
  received_at bigint,
  -- A JSON array of the reported values alone, in the order of src/domain/reported.ts.
  fields_json text,
  -- Beside the fields because devices show it, too.
  odometer_m bigint,
  discontinuity boolean,
  ignition_since bigint,
  trip_id uuid,
  geofence_ids_json text,
  -- What is wrong with the tracker, as the node that takes in its frames found out, and when the last frame that shows it was received.
  -- Its clock shows this many seconds too much; two trackers send with its IMEI.
  clock_ahead_s integer,
  clock_ahead_at bigint,
  twin_at bigint,
  -- Of the newest valid frame.
  driver_id text,
  primary key (account_id, device)
) with (fillfactor = 70);
create index latest_positions_faults on latest_positions (account_id, device)
  where clock_ahead_at is not null or twin_at is not null;

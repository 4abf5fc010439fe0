-- One narrow row for each kind of sensor and moment of a device: what its readings say is in its frames (docs/decisions/0021).
-- The old table is emptied in steps when the store is opened (src/store/carry-over/).
drop index readings_by_time;
alter table readings rename to old_readings;
alter index readings_pkey rename to old_readings_pkey;

-- As small as it can be: there may be a row for each frame.
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

-- Many devices have no sensors, and many frames of the others no readings.
create index frame_blocks_by_kinds on frame_blocks (account_id, device, from_at, kinds) where kinds > 0;
create index reading_blocks_by_kinds on reading_blocks (account_id, device, from_at, kinds) where kinds > 0;

-- Old readings are carried over in the order of their key, which begins with device and kind.
alter table carried_over add column kind text not null default '';

-- One narrow row for each kind of sensor and moment of a device: what its readings say is in its frames (docs/decisions/0021).
-- The old table is emptied in steps when the store is opened (src/store/carry-over/).
drop index readings_by_time;
alter table readings rename to old_readings;

create table readings (
  recorded_at integer not null,
  account_id integer not null,
  device integer not null,
  -- 1 fuel, 2 temperature, 4 tyre.
  kind integer not null,
  primary key (account_id, kind, recorded_at, device)
) strict, without rowid;

-- Readings outlive their frames: what is left of frames that were dropped, in blocks like those of frames.
create table reading_blocks (
  account_id integer not null,
  device integer not null,
  from_at integer not null,
  until_at integer not null,
  count integer not null,
  received_until integer not null,
  kinds integer not null,
  body blob not null,
  primary key (account_id, device, from_at)
) strict;

-- Many devices have no sensors, and many frames of the others no readings.
create index frame_blocks_by_kinds on frame_blocks (account_id, device, from_at, kinds) where kinds > 0;
create index reading_blocks_by_kinds on reading_blocks (account_id, device, from_at, kinds) where kinds > 0;

-- Old readings are carried over in the order of their key, which begins with device and kind.
alter table carried_over add column kind text not null default '';

delete from sqlite_stat1 where tbl = 'readings';
insert into sqlite_stat1 (tbl, idx, stat) values
  ('readings', 'readings', '100000000 10000000 3000000 2 1'),
  ('old_readings', 'old_readings', '100000000 10000000 10000 3000 2 2 1'),
  ('reading_blocks', 'sqlite_autoindex_reading_blocks_1', '1000000 100000 100 1'),
  ('frame_blocks', 'frame_blocks_by_kinds', '500000 50000 50 1 1'),
  ('reading_blocks', 'reading_blocks_by_kinds', '500000 50000 50 1 1');
analyze sqlite_schema;

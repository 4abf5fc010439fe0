-- The frames of a device are in blocks of about 120, and the newest few in rows of their own (docs/decisions/0021). The old
-- table is emptied in steps when the store is opened (src/store/carry-over/).
drop index frames_untimely;
alter table frames rename to old_frames;

-- Blocks of a device never overlap, and frames of one time are in one block. `body` is written by src/store/blocks/. An ordinary
-- table with an index: in a table without rowid each new block would move its neighbours.
create table frame_blocks (
  account_id integer not null,
  device integer not null,
  -- The times of its first and its last frame.
  from_at integer not null,
  until_at integer not null,
  count integer not null,
  -- When the last of them was received.
  received_until integer not null,
  -- Which kinds of sensors its frames have: 1 fuel, 2 temperature, 4 tyre.
  kinds integer not null,
  body blob not null,
  primary key (account_id, device, from_at)
) strict;

-- Later than all blocks of the device.
create table recent_frames (
  account_id integer not null,
  device integer not null,
  recorded_at integer not null,
  -- 53 bits of a hash of the content: the same frame sent twice is one row, and order never depends on arrival.
  digest integer not null,
  received_at integer not null,
  -- The receipt that made a frame "from the future" believable, if that was not the first.
  timely_at integer,
  -- The rest, as src/store/blocks/frame-line.ts writes it.
  content text not null,
  primary key (account_id, device, recorded_at, digest)
) strict, without rowid;

-- Frames whose time is not believed have no place in the order of a device, and are dropped by their receipt.
create table untimely_frames (
  account_id integer not null,
  device integer not null,
  recorded_at integer not null,
  digest integer not null,
  received_at integer not null,
  timely_at integer,
  content text not null,
  primary key (account_id, device, recorded_at, digest)
) strict, without rowid;
create index untimely_frames_by_receipt on untimely_frames (received_at);

-- Frames up to here are in blocks, later ones in rows; null: there is no block yet.
alter table device_folds add column sealed_until integer;
-- About how many frames are in rows.
alter table device_folds add column recent_frames integer not null default 0;

-- Up to which row of an old table everything is carried over.
create table carried_over (
  name text not null primary key,
  account_id integer not null,
  device integer not null,
  recorded_at integer not null,
  digest integer not null,
  -- How many rows that were, of whichever program.
  done integer not null
) strict, without rowid;

update store_forms set form = 2 where name = 'frames';
insert into sqlite_stat1 (tbl, idx, stat) values
  ('frame_blocks', 'sqlite_autoindex_frame_blocks_1', '1000000 100000 100 1'),
  ('recent_frames', 'recent_frames', '100000 10000 20 1 1'),
  ('untimely_frames', 'untimely_frames', '10000 1000 10 1 1'),
  ('untimely_frames', 'untimely_frames_by_receipt', '10000 1');
analyze sqlite_schema;

-- The frames of a device are in blocks of about 120, and the newest few in rows of their own (docs/decisions/0021). The old
-- table is emptied in steps when the store is opened (src/store/carry-over/).
drop index frames_untimely;
alter table frames rename to old_frames;

-- Blocks of a device never overlap, and frames of one time are in one block. `body` is written by src/store/blocks/. It is
-- compressed already.
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
alter table frame_blocks alter column body set storage external;

-- Later than all blocks of the device.
create table recent_frames (
  account_id bigint not null,
  device bigint not null,
  recorded_at bigint not null,
  -- 53 bits of a hash of the content: the same frame sent twice is one row, and order never depends on arrival.
  digest bigint not null,
  received_at bigint not null,
  -- The receipt that made a frame "from the future" believable, if that was not the first.
  timely_at bigint,
  -- The rest, as src/store/blocks/frame-line.ts writes it.
  content text not null,
  primary key (account_id, device, recorded_at, digest)
)
-- Each row is removed soon: without this the table would grow to many times its size at full rate.
with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

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
create index untimely_frames_by_receipt on untimely_frames (received_at);

-- Frames up to here are in blocks, later ones in rows; null: there is no block yet.
alter table device_folds add column sealed_until bigint;
-- About how many frames are in rows.
alter table device_folds add column recent_frames bigint not null default 0;

-- Up to which row of an old table everything is carried over.
create table carried_over (
  name text not null primary key,
  account_id bigint not null,
  device bigint not null,
  recorded_at bigint not null,
  digest bigint not null,
  -- How many rows that were, of whichever program.
  done bigint not null
);

update store_forms set form = 2 where name = 'frames';

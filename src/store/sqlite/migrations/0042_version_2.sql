-- What 2.0 changes in the tables of 1.4.0. Until 2.0 is released this file grows; from then on it never changes.

-- Only readings were rewritten in an order that begins with their kind, and that was before 1.2.
alter table carried_over drop column kind;

-- Frames that wait for their block share a row with those of neighbouring devices of the account that came together. A number for
-- each eight; null: the device has sent nothing since there are such rows.
alter table device_folds add column neighbours integer;
create index device_folds_neighbours on device_folds (account_id, neighbours) where neighbours is not null;

-- An ordinary table with an index: in a table without rowid a row of this size would need a page of its own.
create table shared_frames (
  account_id integer not null,
  neighbours integer not null,
  -- The first of the frames in it, which no other row has.
  from_at integer not null,
  device integer not null,
  digest integer not null,
  -- The time of the last.
  until_at integer not null,
  -- As src/store/blocks/shared-lines.ts writes them.
  lines text not null,
  primary key (account_id, neighbours, from_at, device, digest)
) strict;

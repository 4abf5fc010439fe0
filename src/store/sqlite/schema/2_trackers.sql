-- What trackers call themselves, and what is seen of those that no vehicle has.

-- What trackers call themselves, as it is compared: each name belongs to one device of all accounts, whether it is its IMEI or its
-- tracker id.
create table tracker_names (
  tracker_key text not null primary key,
  account_id integer not null,
  device integer not null,
  -- The number of this change: by it a node learns of new names without reading all.
  name_change integer not null default 0
) strict, without rowid;
create index tracker_names_by_device on tracker_names (device);
create index tracker_names_by_change on tracker_names (name_change);

-- The last number that was given, in one row: who takes the next waits until it is committed, so no number is seen before a lower one.
create table tracker_name_changes (
  id integer primary key,
  last_change integer not null
) strict;
insert into tracker_name_changes (id, last_change) values (1, 0);

-- IMEIs, and what trackers call themselves that call without a token, which were seen lately and which no device has.
create table unknown_devices (
  account_id integer not null,
  imei text not null,
  first_seen_at integer not null,
  last_seen_at integer not null,
  count integer not null,
  tracker_key text,
  protocol text,
  primary key (account_id, imei)
) strict, without rowid;

-- Trackers that the owner of an account has announced, by what they are compared by, and whether one has called since.
create table expected_trackers (
  account_id integer not null,
  tracker_key text not null,
  id text not null,
  tracker text not null,
  entered_at integer not null,
  called_at integer,
  last_protocol text,
  count integer not null,
  primary key (account_id, tracker_key)
) strict, without rowid;
create index expected_trackers_by_key on expected_trackers (tracker_key);

-- Devices whose trackers are watched at the moment, until when.
create table tracker_watches (
  imei text not null primary key,
  account_id integer not null,
  until_at integer not null
);

-- What the trackers of these devices sent, from the memory of the node to which they are connected. Kept for minutes.
create table tracker_messages (
  imei text not null,
  node text not null,
  number integer not null,
  account_id integer not null,
  received_at integer not null,
  message_json text not null,
  primary key (imei, node, number)
);

-- What trackers call themselves, and what is seen of those that no vehicle has.

-- What trackers call themselves, as it is compared: each name belongs to one device of all accounts, whether it is its IMEI or its
-- tracker id.
create table tracker_names (
  tracker_key text not null primary key,
  account_id bigint not null,
  device bigint not null,
  -- The number of this change: by it a node learns of new names without reading all.
  name_change bigint not null default 0
);
create index tracker_names_by_device on tracker_names (device);
create index tracker_names_by_change on tracker_names (name_change);

-- The last number that was given, in one row: who takes the next waits until it is committed, so no number is seen before a lower one.
create table tracker_name_changes (
  id bigint not null primary key,
  last_change bigint not null
);
insert into tracker_name_changes (id, last_change) values (1, 0);

-- IMEIs, and what trackers call themselves that call without a token, which were seen lately and which no device has.
create table unknown_devices (
  account_id bigint not null,
  imei text not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  count bigint not null,
  tracker_key text,
  protocol text,
  primary key (account_id, imei)
);

-- Trackers that the owner of an account has announced, by what they are compared by, and whether one has called since.
create table expected_trackers (
  account_id bigint not null,
  tracker_key text not null,
  id uuid not null,
  tracker text not null,
  entered_at bigint not null,
  called_at bigint,
  last_protocol text,
  count integer not null,
  primary key (account_id, tracker_key)
);
create index expected_trackers_by_key on expected_trackers (tracker_key);

-- Devices whose trackers are watched at the moment, until when.
create table tracker_watches (
  imei text not null primary key,
  account_id bigint not null,
  until_at bigint not null
);

-- What the trackers of these devices sent, from the memory of the node to which they are connected. Kept for minutes.
create table tracker_messages (
  imei text not null,
  node text not null,
  number bigint not null,
  account_id bigint not null,
  received_at bigint not null,
  message_json text not null,
  primary key (imei, node, number)
);

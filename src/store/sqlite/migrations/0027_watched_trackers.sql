-- Devices whose trackers somebody is watching, until when.
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

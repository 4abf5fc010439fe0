-- What a tracker calls itself where that is no IMEI, and the protocol that it speaks. Null: neither is known.
alter table devices add column tracker_id text;
alter table devices add column tracker_protocol text;

-- The same where a tracker is looked up, whatever its account: its id as it is compared. Of a removed device neither.
alter table device_directory add column tracker_key text;
alter table device_directory add column tracker_protocol text;
create unique index device_directory_by_tracker on device_directory (tracker_key);

-- Trackers that call by themselves have no token. What they call themselves stands in place of the IMEI.
alter table unknown_devices add column tracker_key text;
alter table unknown_devices add column protocol text;

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

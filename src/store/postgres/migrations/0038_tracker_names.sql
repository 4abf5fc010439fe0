-- What trackers call themselves, as it is compared: each name belongs to one device of all accounts, whether it is its IMEI or its
-- tracker id. IMEIs that differ in leading zeros were two names before. Of such devices the oldest has the name from now on.
create table tracker_names (
  tracker_key text not null primary key,
  account_id bigint not null,
  device bigint not null,
  -- The number of this change: by it a node learns of new names without reading all.
  name_change bigint not null default 0
);
create index tracker_names_by_device on tracker_names (device);
create index tracker_names_by_change on tracker_names (name_change);
insert into tracker_names (tracker_key, account_id, device)
select tracker_key, account_id, device from (
  select tracker_key, account_id, device, row_number() over (partition by tracker_key order by device) as place from (
    select coalesce(nullif(ltrim(imei, '0'), ''), '0') as tracker_key, account_id, device from device_directory
    where imei not like 'removed %'
    union select tracker_key, account_id, device from device_directory where tracker_key is not null) claims) ranked
where place = 1;

-- The last number that was given, in one row: who takes the next waits until it is committed, so no number is seen before a lower one.
create table tracker_name_changes (
  id bigint not null primary key,
  last_change bigint not null
);
insert into tracker_name_changes (id, last_change) values (1, 0);

drop index device_directory_by_tracker;
alter table device_directory drop column tracker_key;

-- The number of the last IMEI or tracker id that a device got. By it a node learns of new ones without reading all.
alter table device_directory add column name_change integer not null default 0;
create index device_directory_by_name_change on device_directory (name_change);

-- The last number that was given, in one row: who takes the next waits until it is committed, so no number is seen before a lower one.
create table tracker_name_changes (
  id integer primary key,
  last_change integer not null
) strict;
insert into tracker_name_changes (id, last_change) values (1, 0);

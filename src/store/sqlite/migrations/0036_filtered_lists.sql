-- Twice as long from class to class: what had ended before a moment, and is passed over in the index, is less. With the duration, by
-- which stops are filtered.
drop index stops_by_length;
create index stops_by_length on stops (account_id, (case
  when ended_at is null then 12
  when ended_at - started_at < 3600000 then 0
  when ended_at - started_at < 7200000 then 1
  when ended_at - started_at < 14400000 then 2
  when ended_at - started_at < 28800000 then 3
  when ended_at - started_at < 57600000 then 4
  when ended_at - started_at < 115200000 then 5
  when ended_at - started_at < 230400000 then 6
  when ended_at - started_at < 460800000 then 7
  when ended_at - started_at < 921600000 then 8
  when ended_at - started_at < 3686400000 then 9
  when ended_at - started_at < 14745600000 then 10
  else 11 end), started_at, id, ended_at, duration_ms);
-- With the fences: stops in others are passed over in the index.
drop index stops_in_fences;
create index stops_in_fences on stops (account_id, started_at, id, duration_ms, geofence_ids) where geofence_ids <> '';
create index stops_in_fences_by_length on stops (account_id, (case
  when ended_at is null then 12
  when ended_at - started_at < 3600000 then 0
  when ended_at - started_at < 7200000 then 1
  when ended_at - started_at < 14400000 then 2
  when ended_at - started_at < 28800000 then 3
  when ended_at - started_at < 57600000 then 4
  when ended_at - started_at < 115200000 then 5
  when ended_at - started_at < 230400000 then 6
  when ended_at - started_at < 460800000 then 7
  when ended_at - started_at < 921600000 then 8
  when ended_at - started_at < 3686400000 then 9
  when ended_at - started_at < 14745600000 then 10
  else 11 end), started_at, id, ended_at, duration_ms, geofence_ids)
  where geofence_ids <> '';
-- By value, so that the few that are out of the ordinary are found among a million others.
create index alerts_by_value on alerts (account_id, value, occurred_at, id) where value is not null;

delete from sqlite_stat1 where idx in ('stops_by_length', 'stops_in_fences');
insert into sqlite_stat1 (tbl, idx, stat) values
  ('stops', 'stops_by_length', '10000000 1000000 100000 1 1 1 1'),
  ('stops', 'stops_in_fences', '1000000 100000 1 1 1 1'),
  ('stops', 'stops_in_fences_by_length', '1000000 100000 10000 1 1 1 1 1'),
  ('alerts', 'alerts_by_value', '10000000 1000000 1000 1 1');
analyze sqlite_schema;

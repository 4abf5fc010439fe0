-- With the end, as the index of stops has it: trips that had ended before a moment are passed over in the index.
drop index trips_by_length;
create index trips_by_length on trips (account_id, (case
  when ended_at is null then 6
  when ended_at - started_at < 3600000 then 0
  when ended_at - started_at < 14400000 then 1
  when ended_at - started_at < 57600000 then 2
  when ended_at - started_at < 230400000 then 3
  when ended_at - started_at < 921600000 then 4
  else 5 end), started_at, id, ended_at);
-- Most stops are in no fence, and need not be searched for one.
create index stops_in_fences on stops (account_id, started_at, id) where geofence_ids <> '';


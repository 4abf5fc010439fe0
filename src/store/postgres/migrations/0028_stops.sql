-- The stands between trips (src/domain/stops/stops.ts), derived from the frames as trips are. Devices of earlier rules wait to be
-- derived again (src/derive/upgrade/upgrade.ts), and get their stops then.
create table stops (
  account_id bigint not null,
  device bigint not null,
  started_at bigint not null,
  id uuid not null,
  -- Null while the vehicle stands there.
  ended_at bigint,
  latitude_e7 integer not null,
  longitude_e7 integer not null,
  duration_ms bigint not null,
  -- Null if no frame says so, or some are gone.
  ignition_on_ms bigint,
  -- In ascending order, with a space between two.
  geofence_ids text not null,
  trip_before_id uuid not null,
  trip_after_id uuid,
  updated_at bigint not null,
  final_at bigint not null default 0,
  primary key (account_id, device, started_at, id)
);
create index stops_by_final on stops (account_id, device, final_at);
create index stops_by_start on stops (account_id, started_at, id);
-- By length, as trips are: what stood at a moment is found without reading all that came before it (overlapping-rows.ts). With
-- the end: most vehicles stood some hours ago, and those that have left since are passed over in the index.
create index stops_by_length on stops (account_id, (case
  when ended_at is null then 7
  when ended_at - started_at < 14400000 then 0
  when ended_at - started_at < 57600000 then 1
  when ended_at - started_at < 230400000 then 2
  when ended_at - started_at < 921600000 then 3
  when ended_at - started_at < 3686400000 then 4
  when ended_at - started_at < 14745600000 then 5
  else 6 end), started_at, id, ended_at);

update store_forms set form = 5 where name = 'rules';

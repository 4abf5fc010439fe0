-- The stands between trips (src/domain/stops/stops.ts), derived from the frames as trips are. Devices of earlier rules wait to be
-- derived again (src/derive/upgrade/upgrade.ts), and get their stops then.
create table stops (
  account_id integer not null,
  device integer not null,
  started_at integer not null,
  id text not null,
  -- Null while the vehicle stands there.
  ended_at integer,
  latitude_e7 integer not null,
  longitude_e7 integer not null,
  duration_ms integer not null,
  -- Null if no frame says so, or some are gone.
  ignition_on_ms integer,
  -- In ascending order, with a space between two.
  geofence_ids text not null,
  trip_before_id text not null,
  trip_after_id text,
  updated_at integer not null,
  final_at integer not null default 0,
  primary key (account_id, device, started_at, id)
) strict, without rowid;
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

insert into sqlite_stat1 (tbl, idx, stat) values
  ('stops', 'stops', '10000000 1000000 1000 1 1'),
  ('stops', 'stops_by_final', '10000000 1000000 1000 1'),
  ('stops', 'stops_by_start', '10000000 1000000 1 1'),
  ('stops', 'stops_by_length', '10000000 1000000 200000 1 1 1');
-- Makes this connection read the proportions; others find them when they open.
analyze sqlite_schema;

update store_forms set form = 5 where name = 'rules';

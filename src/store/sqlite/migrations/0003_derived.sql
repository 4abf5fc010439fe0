-- Facts derived from the frames. Ids are made from (device, kind, rule, start), so deriving again gives the same ids.
-- final_at is the time of the frame that completed the fact; the greatest number there is as long as none has. Deriving
-- again from some moment on concerns the facts that were not complete by then.

create table trips (
  account_id integer not null,
  device integer not null,
  started_at integer not null,
  id text not null,
  -- Null while in progress.
  ended_at integer,
  end_reason text check (end_reason in ('ignition_off', 'stationary', 'gap', 'discontinuity')),
  start_latitude_e7 integer not null,
  start_longitude_e7 integer not null,
  end_latitude_e7 integer,
  end_longitude_e7 integer,
  distance_mm integer not null,
  duration_ms integer not null,
  idle_ms integer not null,
  max_speed_m_per_h integer,
  start_odometer_m integer,
  end_odometer_m integer,
  position_count integer not null,
  has_gap integer not null,
  updated_at integer not null,
  final_at integer not null default 0,
  primary key (account_id, device, started_at, id)
) strict, without rowid;
create index trips_by_final on trips (account_id, device, final_at);
create index trips_by_start on trips (account_id, started_at, id);
-- By length, so that what was on the road at a moment is found without reading all that came before it (trips.ts).
create index trips_by_length on trips (account_id, (case
  when ended_at is null then 6
  when ended_at - started_at < 3600000 then 0
  when ended_at - started_at < 14400000 then 1
  when ended_at - started_at < 57600000 then 2
  when ended_at - started_at < 230400000 then 3
  when ended_at - started_at < 921600000 then 4
  else 5 end), started_at, id);

create table alerts (
  account_id integer not null,
  device integer not null,
  occurred_at integer not null,
  id text not null,
  alert_type text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  message text not null,
  ended_at integer,
  received_at integer not null,
  latitude_e7 integer,
  longitude_e7 integer,
  speed_m_per_h integer,
  value real,
  threshold real,
  unit text,
  geofence_id text,
  trip_id text,
  -- Set when later frames took the ground from an alert that someone had acknowledged already.
  withdrawn integer not null,
  final_at integer not null default 0,
  primary key (account_id, device, occurred_at, id)
) strict, without rowid;
create index alerts_by_final on alerts (account_id, device, final_at);
create index alerts_by_time on alerts (account_id, occurred_at, id);
create index alerts_by_type on alerts (account_id, alert_type, occurred_at, id);
create index alerts_by_severity on alerts (account_id, severity, occurred_at, id);
create unique index alerts_by_id on alerts (account_id, id);

-- Kept apart from the derived fields, so that deriving again cannot touch them.
create table alert_acknowledgements (
  account_id integer not null,
  alert_id text not null,
  acknowledged_at integer not null,
  acknowledged_by text not null references users,
  primary key (account_id, alert_id)
) strict, without rowid;

create table readings (
  account_id integer not null,
  device integer not null,
  kind text not null check (kind in ('fuel', 'temperature', 'tyre')),
  recorded_at integer not null,
  digest integer not null,
  sensor text not null,
  received_at integer not null,
  latitude_e7 integer,
  longitude_e7 integer,
  level_milli_percent integer,
  volume_ml integer,
  temperature_mc integer,
  humidity_milli_percent integer,
  axle integer,
  wheel integer,
  pressure_pa integer,
  primary key (account_id, device, kind, recorded_at, digest, sensor)
) strict, without rowid;
create index readings_by_time on readings (account_id, kind, recorded_at, device, digest, sensor);

create table geofence_events (
  account_id integer not null,
  device integer not null,
  occurred_at integer not null,
  id text not null,
  geofence_id text not null,
  event_type text not null check (event_type in ('enter', 'exit')),
  latitude_e7 integer not null,
  longitude_e7 integer not null,
  speed_m_per_h integer,
  interpolated integer not null,
  time_uncertainty_ms integer not null,
  dwell_ms integer,
  final_at integer not null default 0,
  primary key (account_id, device, occurred_at, id)
) strict, without rowid;
create index geofence_events_by_final on geofence_events (account_id, device, final_at);
create index geofence_events_by_time on geofence_events (account_id, occurred_at, id);

-- One row per device and UTC day (days since 1970-01-01).
create table mileage_days (
  account_id integer not null,
  device integer not null,
  day integer not null,
  distance_mm integer not null,
  distance_source text not null check (distance_source in ('odometer', 'gps')),
  start_odometer_m integer,
  end_odometer_m integer,
  trip_count integer not null,
  driving_ms integer not null,
  idle_ms integer not null,
  max_speed_m_per_h integer,
  gap_distance_mm integer not null,
  updated_at integer not null,
  final_at integer not null default 0,
  primary key (account_id, device, day)
) strict, without rowid;

insert into sqlite_stat1 (tbl, idx, stat) values
  ('trips', 'trips', '10000000 1000000 1000 1 1'),
  ('trips', 'trips_by_final', '10000000 1000000 1000 1'),
  ('trips', 'trips_by_start', '10000000 1000000 1 1'),
  ('trips', 'trips_by_length', '10000000 1000000 200000 1 1'),
  ('alerts', 'alerts', '10000000 1000000 1000 1 1'),
  ('alerts', 'alerts_by_final', '10000000 1000000 1000 1'),
  ('alerts', 'alerts_by_time', '10000000 1000000 1 1'),
  ('alerts', 'alerts_by_type', '10000000 1000000 100000 1 1'),
  ('alerts', 'alerts_by_severity', '10000000 1000000 300000 1 1'),
  ('alerts', 'alerts_by_id', '10000000 1000000 1'),
  ('readings', 'readings', '100000000 10000000 10000 3000 2 2 1'),
  ('readings', 'readings_by_time', '100000000 10000000 3000000 2 2 2 1'),
  ('geofence_events', 'geofence_events', '10000000 1000000 1000 1 1'),
  ('geofence_events', 'geofence_events_by_final', '10000000 1000000 1000 1'),
  ('geofence_events', 'geofence_events_by_time', '10000000 1000000 1 1');
-- Makes this connection read the proportions; others find them when they open.
analyze sqlite_schema;

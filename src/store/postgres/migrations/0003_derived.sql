-- Facts derived from the frames. Ids are made from (device, kind, rule, start), so deriving again gives the same ids.
-- final_at is the time of the frame that completed the fact; the greatest number there is as long as none has. Deriving
-- again from some moment on concerns the facts that were not complete by then.

create table trips (
  account_id bigint not null,
  device bigint not null,
  started_at bigint not null,
  id uuid not null,
  -- Null while in progress.
  ended_at bigint,
  end_reason text check (end_reason in ('ignition_off', 'stationary', 'gap', 'discontinuity')),
  start_latitude_e7 integer not null,
  start_longitude_e7 integer not null,
  end_latitude_e7 integer,
  end_longitude_e7 integer,
  distance_mm bigint not null,
  duration_ms bigint not null,
  idle_ms bigint not null,
  max_speed_m_per_h integer,
  start_odometer_m bigint,
  end_odometer_m bigint,
  position_count integer not null,
  has_gap boolean not null,
  updated_at bigint not null,
  final_at bigint not null default 0,
  primary key (account_id, device, started_at, id)
);
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
  account_id bigint not null,
  device bigint not null,
  occurred_at bigint not null,
  id uuid not null,
  alert_type text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  message text not null,
  ended_at bigint,
  received_at bigint not null,
  latitude_e7 integer,
  longitude_e7 integer,
  speed_m_per_h integer,
  value double precision,
  threshold double precision,
  unit text,
  geofence_id uuid,
  trip_id uuid,
  -- Set when later frames took the ground from an alert that someone had acknowledged already.
  withdrawn boolean not null,
  final_at bigint not null default 0,
  primary key (account_id, device, occurred_at, id)
);
create index alerts_by_final on alerts (account_id, device, final_at);
create index alerts_by_time on alerts (account_id, occurred_at, id);
create index alerts_by_type on alerts (account_id, alert_type, occurred_at, id);
create index alerts_by_severity on alerts (account_id, severity, occurred_at, id);
create unique index alerts_by_id on alerts (account_id, id);

-- Kept apart from the derived fields, so that deriving again cannot touch them.
create table alert_acknowledgements (
  account_id bigint not null,
  alert_id uuid not null,
  acknowledged_at bigint not null,
  acknowledged_by uuid not null references users,
  primary key (account_id, alert_id)
);

create table readings (
  account_id bigint not null,
  device bigint not null,
  kind text not null check (kind in ('fuel', 'temperature', 'tyre')),
  recorded_at bigint not null,
  digest bigint not null,
  sensor text collate "C" not null,
  received_at bigint not null,
  latitude_e7 integer,
  longitude_e7 integer,
  level_milli_percent integer,
  volume_ml bigint,
  temperature_mc integer,
  humidity_milli_percent integer,
  axle integer,
  wheel integer,
  pressure_pa bigint,
  primary key (account_id, device, kind, recorded_at, digest, sensor)
);
create index readings_by_time on readings (account_id, kind, recorded_at, device, digest, sensor);

create table geofence_events (
  account_id bigint not null,
  device bigint not null,
  occurred_at bigint not null,
  id uuid not null,
  geofence_id uuid not null,
  event_type text not null check (event_type in ('enter', 'exit')),
  latitude_e7 integer not null,
  longitude_e7 integer not null,
  speed_m_per_h integer,
  interpolated boolean not null,
  time_uncertainty_ms bigint not null,
  dwell_ms bigint,
  final_at bigint not null default 0,
  primary key (account_id, device, occurred_at, id)
);
create index geofence_events_by_final on geofence_events (account_id, device, final_at);
create index geofence_events_by_time on geofence_events (account_id, occurred_at, id);

-- One row per device and UTC day (days since 1970-01-01).
create table mileage_days (
  account_id bigint not null,
  device bigint not null,
  day integer not null,
  distance_mm bigint not null,
  distance_source text not null check (distance_source in ('odometer', 'gps')),
  start_odometer_m bigint,
  end_odometer_m bigint,
  trip_count integer not null,
  driving_ms bigint not null,
  idle_ms bigint not null,
  max_speed_m_per_h integer,
  gap_distance_mm bigint not null,
  updated_at bigint not null,
  final_at bigint not null default 0,
  primary key (account_id, device, day)
);

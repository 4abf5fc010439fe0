-- What is derived from the frames, and how far. Ids are made from (device, kind, rule, start), so deriving again gives the same ids.
-- final_at is the time of the frame that completed the fact; the greatest number there is as long as none has. Deriving again from some
-- moment on concerns the facts that were not complete by then.
-- A fact has two times beside its own: when it became known, and when frames last changed it. They are null if it was derived before
-- 1.2 from frames that are gone.

-- How far the frames of each device are derived, and where they are.
create table device_folds (
  account_id bigint not null,
  device bigint not null,
  -- Grows with every change to the device's frames or facts: a state in memory holds for one of these numbers.
  revision bigint not null,
  -- The last frame in the order; frames whose time alone is bad are not in it.
  head_recorded_at bigint,
  head_digest bigint,
  -- Between these, both included, are frames whose facts are still to be derived; null: there are none.
  dirty_from bigint,
  dirty_until bigint,
  -- The last of the frames whose time alone is bad, which are not in the order and may be later than its head.
  untimely_until bigint,
  -- Frames up to here were dropped by retention; what was derived from them stays.
  dropped_until bigint,
  -- When the alert began that says the device is offline, as long as it lasts.
  offline_since bigint,
  -- The version of the rules that everything derived of the device follows: facts, verdicts, live state, checkpoints. A device of earlier
  -- rules waits to be derived again (src/derive/upgrade/upgrade.ts).
  rules bigint not null default 1,
  -- Who derives a waiting device at the moment; renewed all the time, so that an old one is known to be abandoned.
  upgrade_claim bigint,
  -- The last position of a trip that the clock has ended, since no other came for so long (src/derive/upkeep/silent-trips.ts).
  silent_at bigint,
  -- Frames up to here are in blocks, later ones in rows; null: there is no block yet.
  sealed_until bigint,
  -- About how many frames are in rows.
  recent_frames bigint not null default 0,
  -- Before this, the device has one checkpoint a day.
  thinned_until bigint not null default 0,
  -- The last frames that came a little late, as src/store/facts/fold-revision.ts has them; null: none did. By them another node knows
  -- which of its own states still hold.
  late_changes text,
  -- An alert that begins up to here may come in the place of one that was withdrawn; null: none can.
  withdrawn_until bigint,
  primary key (account_id, device)
) with (fillfactor = 70);
create index device_folds_dirty on device_folds (account_id, device) where dirty_from is not null;
create index device_folds_rules on device_folds (account_id, rules, device);

-- States to derive from: after a restart, and when a late frame comes. Each is the state after all frames up to its moment.
create table fold_checkpoints (
  account_id bigint not null,
  device bigint not null,
  recorded_at bigint not null,
  digest bigint not null,
  -- As src/store/facts/packed-state.ts writes it.
  state bytea not null,
  -- The sums and maxima of open days and trips, apart from the rest: a late frame often changes nothing else. Never null.
  totals_json text,
  primary key (account_id, device, recorded_at, digest)
);
-- Compressed already.
alter table fold_checkpoints alter column state set storage external;

-- The drives.
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
  received_at bigint,
  -- The first of the trip.
  driver_id text,
  primary key (account_id, device, started_at, id)
);
create index trips_by_final on trips (account_id, device, final_at);
create index trips_by_start on trips (account_id, started_at, id);
-- Only trips in progress, which are few.
create index trips_in_progress on trips (account_id, device) where ended_at is null;
-- By length, so that what was on the road at a moment is found without reading all that came before it (overlapping-rows.ts). With the
-- end: trips that had ended before a moment are passed over in the index.
create index trips_by_length on trips (account_id, (case
  when ended_at is null then 6
  when ended_at - started_at < 3600000 then 0
  when ended_at - started_at < 14400000 then 1
  when ended_at - started_at < 57600000 then 2
  when ended_at - started_at < 230400000 then 3
  when ended_at - started_at < 921600000 then 4
  else 5 end), started_at, id, ended_at);
-- Empty where no tracker sends drivers.
create index trips_by_driver on trips (account_id, driver_id, device, started_at) where driver_id is not null;

-- The stands between trips (src/domain/stops/stops.ts).
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
-- Most stops are in no fence, and need not be searched for one.
-- The fences are not in the indexes: what is in one must be shorter than the ids of a hundred.
create index stops_in_fences on stops (account_id, started_at, id) where geofence_ids <> '';
-- By length, as trips are, but with shorter classes: most vehicles stood some hours ago. With the duration, by which stops are filtered.
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
  else 11 end), started_at, id, ended_at, duration_ms)
  where geofence_ids <> '';

-- What the rules of a device raised, and what the clock did: a device that is offline.
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
  -- Set when later frames took the ground from an alert that was acknowledged already.
  withdrawn boolean not null,
  final_at bigint not null default 0,
  updated_at bigint,
  -- Beside the alert, so that open ones are found among a million others. Deriving again does not write it, and removes no alert that is
  -- acknowledged. Who did it when is in alert_acknowledgements.
  acknowledged boolean not null default false,
  primary key (account_id, device, occurred_at, id)
);
create index alerts_by_final on alerts (account_id, device, final_at);
create unique index alerts_by_id on alerts (account_id, id);
-- Each has what alerts are filtered by: those that do not match are passed over in the index.
create index alerts_by_time on alerts (account_id, occurred_at, id, value);
create index alerts_by_type on alerts (account_id, alert_type, occurred_at, id, severity, acknowledged, value);
create index alerts_by_severity on alerts (account_id, severity, occurred_at, id, acknowledged, value);
create index alerts_by_acknowledged on alerts (account_id, acknowledged, occurred_at, id, value);
-- So that the few that are out of the ordinary are found among a million others.
create index alerts_by_value on alerts (account_id, value, occurred_at, id) where value is not null;
create index alerts_withdrawn on alerts (account_id, device) where withdrawn;

-- Who has acknowledged an alert. Apart from the derived fields, so that deriving again cannot touch it.
create table alert_acknowledgements (
  account_id bigint not null,
  alert_id uuid not null,
  acknowledged_at bigint not null,
  -- Null: the person was erased.
  acknowledged_by uuid references users,
  -- The highest with which it was acknowledged: it may go over to another alert. Null if that was before 1.4: the alert's own.
  severity text,
  primary key (account_id, alert_id)
);

-- The crossings of fences.
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
  received_at bigint,
  updated_at bigint,
  primary key (account_id, device, occurred_at, id)
);
create index geofence_events_by_final on geofence_events (account_id, device, final_at);
create index geofence_events_by_time on geofence_events (account_id, occurred_at, id);

-- How far each device was driven on each day (days since 1970-01-01), in the time zone that the day is of.
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
  time_zone text not null default 'UTC',
  primary key (account_id, device, day)
);

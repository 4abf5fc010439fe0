-- When a fact became known, and when frames last changed it. Null in rows from before: they are filled when their device is
-- derived by the rules of 1.2 (src/derive/upgrade.ts), unless the frames are gone.
alter table trips add column received_at integer;
alter table alerts add column updated_at integer;
alter table geofence_events add column received_at integer;
alter table geofence_events add column updated_at integer;
-- What the clock raised is not derived again. Such an alert changes when it is raised and when a frame ends it.
update alerts set updated_at = coalesce(ended_at, received_at) where alert_type = 'device_offline';
-- Since form 4 a state has times of receipt for these.
update store_forms set form = 4 where name = 'fold_states';

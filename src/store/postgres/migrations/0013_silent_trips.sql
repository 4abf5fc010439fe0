-- The last position of a trip that the clock has ended, since no other came for so long (src/derive/silent-trips.ts).
alter table device_folds add column silent_at bigint;
-- Only trips in progress, which are few.
create index trips_in_progress on trips (account_id, device) where ended_at is null;

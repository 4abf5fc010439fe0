-- What a tracker's clock shows: a time zone, or how far it is ahead of UTC. Null: UTC.
alter table devices add column tracker_clock text;

-- What is wrong with a device's tracker, as the node that takes in its frames found out, and when the last frame that shows it was
-- received. Its clock shows this many seconds too much; two trackers send with its IMEI.
alter table latest_positions add column clock_ahead_s integer;
alter table latest_positions add column clock_ahead_at bigint;
alter table latest_positions add column twin_at bigint;
create index latest_positions_faults on latest_positions (account_id, device)
  where clock_ahead_at is not null or twin_at is not null;

-- Frames whose time is not believed have no place in the order of a device, and are dropped by their receipt. The index holds
-- them alone: of an ordinary frame it holds nothing. Without `in`, for which SQLite would make a table at every insert.
create index frames_untimely on frames (received_at)
  where (reject_reason = 'time_invalid' or reject_reason = 'future_time' or reject_reason = 'too_old');

-- Frames whose time is not believed have no place in the order of a device, and are dropped by their receipt. The index holds
-- them alone: of an ordinary frame it holds nothing. Without `in`, for which SQLite would make a table at every insert.
create index frames_untimely on frames (received_at)
  where (reject_reason = 'time_invalid' or reject_reason = 'future_time' or reject_reason = 'too_old');

-- What is packed into a column has a form that no schema shows. Its number stands here, so that a program knows what it reads
-- (forms.ts).
create table store_forms (
  name text not null primary key,
  form integer not null
);
insert into store_forms (name, form) values ('frames', 1), ('fold_states', 1), ('live_positions', 1);

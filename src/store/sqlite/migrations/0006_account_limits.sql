-- A limit for all keys of an account together, and counters that remember each day.

-- Null: no such limit.
alter table accounts add column limit_account_per_day integer check (limit_account_per_day > 0);

-- One row per key and UTC day: a clock that is set to another day and back finds the counts of both again.
create table key_counters_by_day (
  account_id integer not null,
  key_id text not null,
  day integer not null,
  day_used integer not null,
  second integer not null,
  second_used integer not null,
  -- Whether the last call was let through.
  admitted integer not null,
  last_used_at integer not null,
  primary key (account_id, key_id, day)
) strict, without rowid;
insert into key_counters_by_day
  select account_id, key_id, day, day_used, second, second_used, admitted, last_used_at from key_counters;
drop table key_counters;
alter table key_counters_by_day rename to key_counters;

-- What all keys of an account have used of a UTC day together. Only accounts with such a limit have rows.
create table account_counters (
  account_id integer not null,
  day integer not null,
  day_used integer not null,
  primary key (account_id, day)
) strict, without rowid;

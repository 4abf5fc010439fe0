-- A limit for all keys of an account together, and counters that remember each day.

-- Null: no such limit.
alter table accounts add column limit_account_per_day integer check (limit_account_per_day > 0);

-- One row per key and UTC day: a clock that is set to another day and back finds the counts of both again.
alter table key_counters drop constraint key_counters_pkey;
alter table key_counters add primary key (account_id, key_id, day);

-- What all keys of an account have used of a UTC day together. Only accounts with such a limit have rows.
create table account_counters (
  account_id bigint not null,
  day integer not null,
  day_used integer not null,
  primary key (account_id, day)
) with (fillfactor = 70);

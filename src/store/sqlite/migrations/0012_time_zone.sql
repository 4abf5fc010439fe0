-- Mileage is counted by days of the account's time zone: each row says the zone that its day is of. The rows so far are UTC's.
alter table mileage_days add column time_zone text not null default 'UTC';
alter table accounts add column time_zone text not null default 'UTC';
-- The zones that the account had before, separated by spaces. Rows whose frames were dropped stay days of one of them.
alter table accounts add column earlier_time_zones text not null default '';

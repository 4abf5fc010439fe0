-- What 2.0 changes in the tables of 1.4.0. Until 2.0 is released this file grows; from then on it never changes.

-- Only readings were rewritten in an order that begins with their kind, and that was before 1.2.
alter table carried_over drop column kind;

-- Rules 6: devices are derived again, and a program of earlier rules must not go on from their states.
update store_forms set form = 6 where name = 'rules';

-- What a vehicle came without being driven. Null of rows whose frames are gone.
alter table trips add column carried_mm bigint;
alter table mileage_days add column carried_mm bigint;

-- Who drove, first to last. Null of trips without a driver, and of those whose frames are gone.
alter table trips add column drivers_json text;

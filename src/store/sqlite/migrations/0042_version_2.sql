-- What 2.0 changes in the tables of 1.4.0. Until 2.0 is released this file grows; from then on it never changes.

-- Only readings were rewritten in an order that begins with their kind, and that was before 1.2.
alter table carried_over drop column kind;

-- By driver, for the list of drivers. Empty where no tracker sends them.
create index latest_positions_by_driver on latest_positions (account_id, driver_id, device) where driver_id is not null;

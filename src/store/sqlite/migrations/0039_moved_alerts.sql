-- What is known of an alert goes over to another that comes in its place. The highest severity that it was acknowledged with; null of
-- acknowledgements from before: the alert's own.
alter table alert_acknowledgements add column severity text;
-- An alert that begins up to here may come in the place of one that was withdrawn; null: none can.
alter table device_folds add column withdrawn_until integer;
create index alerts_withdrawn on alerts (account_id, device) where withdrawn;
-- Found out when the next alert comes.
update device_folds set withdrawn_until = 9007199254740991 from alerts a
  where a.account_id = device_folds.account_id and a.device = device_folds.device and a.withdrawn;

insert into sqlite_stat1 (tbl, idx, stat) values ('alerts', 'alerts_withdrawn', '10000 100 2');
analyze sqlite_schema;

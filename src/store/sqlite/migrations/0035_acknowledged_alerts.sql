-- Whether an alert is acknowledged, beside it, so that open ones are found among a million others. Deriving again does not write it,
-- and removes no alert that is acknowledged. Who did it when is in alert_acknowledgements, as before.
alter table alerts add column acknowledged integer not null default 0;
update alerts set acknowledged = 1 from alert_acknowledgements k
  where k.account_id = alerts.account_id and k.alert_id = alerts.id;

-- Each has what alerts are filtered by: those that do not match are passed over in the index.
drop index alerts_by_time;
drop index alerts_by_type;
drop index alerts_by_severity;
create index alerts_by_time on alerts (account_id, occurred_at, id, value);
create index alerts_by_type on alerts (account_id, alert_type, occurred_at, id, severity, acknowledged, value);
create index alerts_by_severity on alerts (account_id, severity, occurred_at, id, acknowledged, value);
create index alerts_by_acknowledged on alerts (account_id, acknowledged, occurred_at, id, value);

delete from sqlite_stat1 where idx in ('alerts_by_time', 'alerts_by_type', 'alerts_by_severity');
insert into sqlite_stat1 (tbl, idx, stat) values
  ('alerts', 'alerts_by_time', '10000000 1000000 1 1 1'),
  ('alerts', 'alerts_by_type', '10000000 1000000 100000 1 1 1 1 1'),
  ('alerts', 'alerts_by_severity', '10000000 1000000 300000 1 1 1 1'),
  ('alerts', 'alerts_by_acknowledged', '10000000 1000000 500000 1 1 1');
analyze sqlite_schema;

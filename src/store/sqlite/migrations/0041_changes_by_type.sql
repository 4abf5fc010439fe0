-- A viewer's last change by type, no longer by topics of several types: who may read crossings must not notice alerts.
alter table viewer_revisions add column stop_changes integer not null default 0;
alter table viewer_revisions add column alert_changes integer not null default 0;
alter table viewer_revisions add column geofence_event_changes integer not null default 0;
alter table viewer_revisions add column device_changes integer not null default 0;
alter table viewer_revisions add column geofence_changes integer not null default 0;
alter table viewer_revisions add column user_changes integer not null default 0;
alter table viewer_revisions add column alert_settings_changes integer not null default 0;
update viewer_revisions set stop_changes = mileage_changes, alert_changes = event_changes,
  geofence_event_changes = event_changes, device_changes = record_changes, geofence_changes = record_changes,
  user_changes = record_changes, alert_settings_changes = record_changes;
alter table viewer_revisions drop column event_changes;
alter table viewer_revisions drop column record_changes;

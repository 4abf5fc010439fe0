/** What becomes of each table when the store is spread over machines by `odograph distribute`. Every table is in one list. */

/** Spread over the machines by account: all rows of an account are on one. A statement on them names the account. */
export const distributedTables = [
  "devices",
  "fleet_revisions",
  "assignments",
  "viewer_revisions",
  "viewer_records",
  "geofence_versions",
  "geofence_assignments",
  "alert_settings_versions",
  "rule_versions",
  "drivers",
  "driver_tags",
  "device_tag_versions",
  "record_revisions",
  "preferences",
  "audit_log",
  "unknown_devices",
  "latest_positions",
  "device_folds",
  "fold_checkpoints",
  "shared_frames",
  "recent_frames",
  "frame_blocks",
  "untimely_frames",
  "readings",
  "reading_blocks",
  "trips",
  "stops",
  "alerts",
  "alert_acknowledgements",
  "geofence_events",
  "mileage_days",
  "changes",
  "forgotten_removals",
  "notification_choices",
  "notification_items",
  "notification_mails",
] as const;

/** Copied to every machine: small, looked up by something other than the account, or joined with rows of any; rarely written. */
export const referenceTables = [
  "accounts",
  "users",
  "device_directory",
  "tracker_names",
  "geofences",
  "api_keys",
] as const;

/** Only where all nodes connect to. Never read together with distributed tables. */
export const localTables = [
  // Every request counts: here, requests of any accounts share a statement, and no transaction is of two machines.
  "key_counters",
  "account_counters",
  "key_usage",
  "ingest_tokens",
  "expected_trackers",
  "sessions",
  "one_time_links",
  "email_confirmations",
  "share_links",
  "secrets",
  "leases",
  "account_marks",
  "tracker_watches",
  "tracker_messages",
  "tracker_name_changes",
  "notification_followers",
  "planned_reports",
  "planned_report_people",
  "report_mails",
  "unsubscriptions",
  "demo_accounts",
  "kept_mails",
  "erasure_notes",
  "carried_over",
  "store_forms",
  "schema_migrations",
] as const;

export function isDistributedTable(name: string): boolean {
  return (distributedTables as readonly string[]).includes(name);
}

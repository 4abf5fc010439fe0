import fleetOnPostgres from "./postgres/migrations/0001_fleet.sql" with { type: "text" };
import framesOnPostgres from "./postgres/migrations/0002_frames.sql" with { type: "text" };
import derivedOnPostgres from "./postgres/migrations/0003_derived.sql" with { type: "text" };
import accessOnPostgres from "./postgres/migrations/0004_access.sql" with { type: "text" };
import replacedKeysOnPostgres from "./postgres/migrations/0005_replaced_keys.sql" with { type: "text" };
import accountLimitsOnPostgres from "./postgres/migrations/0006_account_limits.sql" with { type: "text" };
import receiptsOnPostgres from "./postgres/migrations/0007_receipts.sql" with { type: "text" };
import retentionOnPostgres from "./postgres/migrations/0008_retention.sql" with { type: "text" };
import assignedImeisOnPostgres from "./postgres/migrations/0009_assigned_imeis.sql" with { type: "text" };
import checkpointTotalsOnPostgres from "./postgres/migrations/0010_checkpoint_totals.sql" with { type: "text" };
import rulesOnPostgres from "./postgres/migrations/0011_rules.sql" with { type: "text" };
import timeZoneOnPostgres from "./postgres/migrations/0012_time_zone.sql" with { type: "text" };
import silentTripsOnPostgres from "./postgres/migrations/0013_silent_trips.sql" with { type: "text" };
import timesOfReceiptOnPostgres from "./postgres/migrations/0014_times_of_receipt.sql" with { type: "text" };
import changesOnPostgres from "./postgres/migrations/0015_changes.sql" with { type: "text" };
import framesInBlocksOnPostgres from "./postgres/migrations/0016_frames_in_blocks.sql" with { type: "text" };
import checkpointsOnPostgres from "./postgres/migrations/0017_checkpoints.sql" with { type: "text" };
import readingsOnPostgres from "./postgres/migrations/0018_readings.sql" with { type: "text" };
import preferencesOnPostgres from "./postgres/migrations/0019_preferences.sql" with { type: "text" };
import administrationOnPostgres from "./postgres/migrations/0020_administration.sql" with { type: "text" };
import manyMachinesOnPostgres from "./postgres/migrations/0021_many_machines.sql" with { type: "text" };
import rules3OnPostgres from "./postgres/migrations/0022_rules_3.sql" with { type: "text" };
import rules4OnPostgres from "./postgres/migrations/0023_rules_4.sql" with { type: "text" };
import trackerClockOnPostgres from "./postgres/migrations/0024_tracker_clock.sql" with { type: "text" };
import trackersOnPostgres from "./postgres/migrations/0025_trackers.sql" with { type: "text" };
import driverIdsOnPostgres from "./postgres/migrations/0026_driver_ids.sql" with { type: "text" };
import watchedTrackersOnPostgres from "./postgres/migrations/0027_watched_trackers.sql" with { type: "text" };
import stopsOnPostgres from "./postgres/migrations/0028_stops.sql" with { type: "text" };
import listIndexesOnPostgres from "./postgres/migrations/0029_list_indexes.sql" with { type: "text" };
import accountMarksOnPostgres from "./postgres/migrations/0030_account_marks.sql" with { type: "text" };
import shareLinksOnPostgres from "./postgres/migrations/0031_share_links.sql" with { type: "text" };
import driversOnPostgres from "./postgres/migrations/0032_drivers.sql" with { type: "text" };
import notificationsOnPostgres from "./postgres/migrations/0033_notifications.sql" with { type: "text" };
import plannedReportsOnPostgres from "./postgres/migrations/0034_planned_reports.sql" with { type: "text" };
import acknowledgedAlertsOnPostgres from "./postgres/migrations/0035_acknowledged_alerts.sql" with { type: "text" };
import filteredListsOnPostgres from "./postgres/migrations/0036_filtered_lists.sql" with { type: "text" };
import lateChangesOnPostgres from "./postgres/migrations/0037_late_changes.sql" with { type: "text" };
import trackerNamesOnPostgres from "./postgres/migrations/0038_tracker_names.sql" with { type: "text" };
import movedAlertsOnPostgres from "./postgres/migrations/0039_moved_alerts.sql" with { type: "text" };
import confirmedEmailsOnPostgres from "./postgres/migrations/0040_confirmed_emails.sql" with { type: "text" };
import changesByTypeOnPostgres from "./postgres/migrations/0041_changes_by_type.sql" with { type: "text" };
import fleetOnSqlite from "./sqlite/migrations/0001_fleet.sql" with { type: "text" };
import framesOnSqlite from "./sqlite/migrations/0002_frames.sql" with { type: "text" };
import derivedOnSqlite from "./sqlite/migrations/0003_derived.sql" with { type: "text" };
import accessOnSqlite from "./sqlite/migrations/0004_access.sql" with { type: "text" };
import replacedKeysOnSqlite from "./sqlite/migrations/0005_replaced_keys.sql" with { type: "text" };
import accountLimitsOnSqlite from "./sqlite/migrations/0006_account_limits.sql" with { type: "text" };
import receiptsOnSqlite from "./sqlite/migrations/0007_receipts.sql" with { type: "text" };
import retentionOnSqlite from "./sqlite/migrations/0008_retention.sql" with { type: "text" };
import assignedImeisOnSqlite from "./sqlite/migrations/0009_assigned_imeis.sql" with { type: "text" };
import checkpointTotalsOnSqlite from "./sqlite/migrations/0010_checkpoint_totals.sql" with { type: "text" };
import rulesOnSqlite from "./sqlite/migrations/0011_rules.sql" with { type: "text" };
import timeZoneOnSqlite from "./sqlite/migrations/0012_time_zone.sql" with { type: "text" };
import silentTripsOnSqlite from "./sqlite/migrations/0013_silent_trips.sql" with { type: "text" };
import timesOfReceiptOnSqlite from "./sqlite/migrations/0014_times_of_receipt.sql" with { type: "text" };
import changesOnSqlite from "./sqlite/migrations/0015_changes.sql" with { type: "text" };
import framesInBlocksOnSqlite from "./sqlite/migrations/0016_frames_in_blocks.sql" with { type: "text" };
import checkpointsOnSqlite from "./sqlite/migrations/0017_checkpoints.sql" with { type: "text" };
import readingsOnSqlite from "./sqlite/migrations/0018_readings.sql" with { type: "text" };
import preferencesOnSqlite from "./sqlite/migrations/0019_preferences.sql" with { type: "text" };
import administrationOnSqlite from "./sqlite/migrations/0020_administration.sql" with { type: "text" };
import manyMachinesOnSqlite from "./sqlite/migrations/0021_many_machines.sql" with { type: "text" };
import rules3OnSqlite from "./sqlite/migrations/0022_rules_3.sql" with { type: "text" };
import rules4OnSqlite from "./sqlite/migrations/0023_rules_4.sql" with { type: "text" };
import trackerClockOnSqlite from "./sqlite/migrations/0024_tracker_clock.sql" with { type: "text" };
import trackersOnSqlite from "./sqlite/migrations/0025_trackers.sql" with { type: "text" };
import driverIdsOnSqlite from "./sqlite/migrations/0026_driver_ids.sql" with { type: "text" };
import watchedTrackersOnSqlite from "./sqlite/migrations/0027_watched_trackers.sql" with { type: "text" };
import stopsOnSqlite from "./sqlite/migrations/0028_stops.sql" with { type: "text" };
import listIndexesOnSqlite from "./sqlite/migrations/0029_list_indexes.sql" with { type: "text" };
import accountMarksOnSqlite from "./sqlite/migrations/0030_account_marks.sql" with { type: "text" };
import shareLinksOnSqlite from "./sqlite/migrations/0031_share_links.sql" with { type: "text" };
import driversOnSqlite from "./sqlite/migrations/0032_drivers.sql" with { type: "text" };
import notificationsOnSqlite from "./sqlite/migrations/0033_notifications.sql" with { type: "text" };
import plannedReportsOnSqlite from "./sqlite/migrations/0034_planned_reports.sql" with { type: "text" };
import acknowledgedAlertsOnSqlite from "./sqlite/migrations/0035_acknowledged_alerts.sql" with { type: "text" };
import filteredListsOnSqlite from "./sqlite/migrations/0036_filtered_lists.sql" with { type: "text" };
import lateChangesOnSqlite from "./sqlite/migrations/0037_late_changes.sql" with { type: "text" };
import trackerNamesOnSqlite from "./sqlite/migrations/0038_tracker_names.sql" with { type: "text" };
import movedAlertsOnSqlite from "./sqlite/migrations/0039_moved_alerts.sql" with { type: "text" };
import confirmedEmailsOnSqlite from "./sqlite/migrations/0040_confirmed_emails.sql" with { type: "text" };
import changesByTypeOnSqlite from "./sqlite/migrations/0041_changes_by_type.sql" with { type: "text" };

/** In order; a migration's version is its place, counted from 1. One that has been released is never changed. */
const migrations = [
  ["fleet", fleetOnSqlite, fleetOnPostgres],
  ["frames", framesOnSqlite, framesOnPostgres],
  ["derived", derivedOnSqlite, derivedOnPostgres],
  ["access", accessOnSqlite, accessOnPostgres],
  ["replaced_keys", replacedKeysOnSqlite, replacedKeysOnPostgres],
  ["account_limits", accountLimitsOnSqlite, accountLimitsOnPostgres],
  ["receipts", receiptsOnSqlite, receiptsOnPostgres],
  ["retention", retentionOnSqlite, retentionOnPostgres],
  ["assigned_imeis", assignedImeisOnSqlite, assignedImeisOnPostgres],
  ["checkpoint_totals", checkpointTotalsOnSqlite, checkpointTotalsOnPostgres],
  ["rules", rulesOnSqlite, rulesOnPostgres],
  ["time_zone", timeZoneOnSqlite, timeZoneOnPostgres],
  ["silent_trips", silentTripsOnSqlite, silentTripsOnPostgres],
  ["times_of_receipt", timesOfReceiptOnSqlite, timesOfReceiptOnPostgres],
  ["changes", changesOnSqlite, changesOnPostgres],
  ["frames_in_blocks", framesInBlocksOnSqlite, framesInBlocksOnPostgres],
  ["checkpoints", checkpointsOnSqlite, checkpointsOnPostgres],
  ["readings", readingsOnSqlite, readingsOnPostgres],
  ["preferences", preferencesOnSqlite, preferencesOnPostgres],
  ["administration", administrationOnSqlite, administrationOnPostgres],
  ["many_machines", manyMachinesOnSqlite, manyMachinesOnPostgres],
  ["rules_3", rules3OnSqlite, rules3OnPostgres],
  ["rules_4", rules4OnSqlite, rules4OnPostgres],
  ["tracker_clock", trackerClockOnSqlite, trackerClockOnPostgres],
  ["trackers", trackersOnSqlite, trackersOnPostgres],
  ["driver_ids", driverIdsOnSqlite, driverIdsOnPostgres],
  ["watched_trackers", watchedTrackersOnSqlite, watchedTrackersOnPostgres],
  ["stops", stopsOnSqlite, stopsOnPostgres],
  ["list_indexes", listIndexesOnSqlite, listIndexesOnPostgres],
  ["account_marks", accountMarksOnSqlite, accountMarksOnPostgres],
  ["share_links", shareLinksOnSqlite, shareLinksOnPostgres],
  ["drivers", driversOnSqlite, driversOnPostgres],
  ["notifications", notificationsOnSqlite, notificationsOnPostgres],
  ["planned_reports", plannedReportsOnSqlite, plannedReportsOnPostgres],
  ["acknowledged_alerts", acknowledgedAlertsOnSqlite, acknowledgedAlertsOnPostgres],
  ["filtered_lists", filteredListsOnSqlite, filteredListsOnPostgres],
  ["late_changes", lateChangesOnSqlite, lateChangesOnPostgres],
  ["tracker_names", trackerNamesOnSqlite, trackerNamesOnPostgres],
  ["moved_alerts", movedAlertsOnSqlite, movedAlertsOnPostgres],
  ["confirmed_emails", confirmedEmailsOnSqlite, confirmedEmailsOnPostgres],
  ["changes_by_type", changesByTypeOnSqlite, changesByTypeOnPostgres],
] as const;

export const sqliteMigrations = migrations.map(([name, text]) => ({ name, text }));
export const postgresMigrations = migrations.map(([name, , text]) => ({ name, text }));

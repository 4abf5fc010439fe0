import fleet from "./0001_fleet.sql" with { type: "text" };
import frames from "./0002_frames.sql" with { type: "text" };
import derived from "./0003_derived.sql" with { type: "text" };
import access from "./0004_access.sql" with { type: "text" };
import replacedKeys from "./0005_replaced_keys.sql" with { type: "text" };
import accountLimits from "./0006_account_limits.sql" with { type: "text" };
import receipts from "./0007_receipts.sql" with { type: "text" };
import retention from "./0008_retention.sql" with { type: "text" };
import assignedImeis from "./0009_assigned_imeis.sql" with { type: "text" };
import checkpointTotals from "./0010_checkpoint_totals.sql" with { type: "text" };
import rules from "./0011_rules.sql" with { type: "text" };
import timeZone from "./0012_time_zone.sql" with { type: "text" };
import silentTrips from "./0013_silent_trips.sql" with { type: "text" };
import timesOfReceipt from "./0014_times_of_receipt.sql" with { type: "text" };
import changes from "./0015_changes.sql" with { type: "text" };
import framesInBlocks from "./0016_frames_in_blocks.sql" with { type: "text" };
import checkpoints from "./0017_checkpoints.sql" with { type: "text" };
import readings from "./0018_readings.sql" with { type: "text" };
import preferences from "./0019_preferences.sql" with { type: "text" };
import administration from "./0020_administration.sql" with { type: "text" };
import manyMachines from "./0021_many_machines.sql" with { type: "text" };
import rules3 from "./0022_rules_3.sql" with { type: "text" };

/** In order; a migration's version is its place, counted from 1. One that has been released is never changed. */
export const migrations = [
  { name: "fleet", text: fleet },
  { name: "frames", text: frames },
  { name: "derived", text: derived },
  { name: "access", text: access },
  { name: "replaced_keys", text: replacedKeys },
  { name: "account_limits", text: accountLimits },
  { name: "receipts", text: receipts },
  { name: "retention", text: retention },
  { name: "assigned_imeis", text: assignedImeis },
  { name: "checkpoint_totals", text: checkpointTotals },
  { name: "rules", text: rules },
  { name: "time_zone", text: timeZone },
  { name: "silent_trips", text: silentTrips },
  { name: "times_of_receipt", text: timesOfReceipt },
  { name: "changes", text: changes },
  { name: "frames_in_blocks", text: framesInBlocks },
  { name: "checkpoints", text: checkpoints },
  { name: "readings", text: readings },
  { name: "preferences", text: preferences },
  { name: "administration", text: administration },
  { name: "many_machines", text: manyMachines },
  { name: "rules_3", text: rules3 },
] as const;

import type { AlertSettings } from "../domain/fleet.ts";
import {
  type AlertSettingsVersionRow,
  alertSettingsVersions,
  saveAlertSettings,
} from "../store/alert-settings-writes.ts";
import type { Transaction } from "../store/database.ts";
import type { DirectoryEntry } from "../store/device-writes.ts";
import { type GeofenceRow, geofencesById } from "../store/geofence-writes.ts";
import type { Consequences } from "./consequences.ts";
import type { FleetFile, OnLine } from "./fleet-file.ts";
import { newVersions } from "./history.ts";
import type { KnownDevices } from "./known.ts";
import { doesNotFit } from "./reference.ts";
import { emptyTally, type Tally } from "./tally.ts";

export async function applyAlertSettings(
  tx: Transaction,
  file: FleetFile,
  devices: KnownDevices,
  now: number,
  consequences: Consequences,
): Promise<Tally> {
  const tally = emptyTally();
  const lines = file.alertSettings.map((line) => ({ ...line, entry: deviceOf(line, devices) }));
  await refuseForeignFences(tx, lines);
  const byDevice = Map.groupBy(lines, ({ entry }) => entry);
  const stored = Map.groupBy(
    await alertSettingsVersions(
      tx,
      byDevice.keys().map(({ device }) => device),
    ),
    (row) => row.device,
  );

  const toSave: AlertSettingsVersionRow[] = [];
  for (const [{ account_id, device, id }, own] of byDevice) {
    const history = newVersions(
      (stored.get(device) ?? []).map((row) => ({ validFrom: row.valid_from, content: row.rules_json })),
      own.map(({ record }) => ({ content: JSON.stringify(record.rules), validFrom: record.validFrom })),
      now,
      (one, other) => one === other,
    );
    for (const { validFrom, content, holdsFrom } of history.toSave) {
      toSave.push({ account_id, device, valid_from: validFrom, rules_json: content });
      consequences.fleetChanged(account_id);
      consequences.deriveAgain({ accountId: account_id, device }, holdsFrom);
      consequences.records(account_id).settingsSaved({ id, device });
    }
    if (history.toSave.length > 0) {
      const fields = history.outcome === "added" ? null : ["rules"];
      const line = own.at(-1)?.line ?? 0;
      consequences.changed.note({ type: "alert_settings", accountId: account_id, id, line, fields });
    }
    tally[history.outcome]++;
  }
  await saveAlertSettings(tx, toSave, now);
  return tally;
}

function deviceOf({ line, record }: OnLine<AlertSettings>, devices: KnownDevices): DirectoryEntry {
  const entry = devices.get(record.deviceId);
  if (entry) return entry;
  const problem = `expected the id of a device that is in this file or stored, got "${record.deviceId}"`;
  throw doesNotFit(line, "device_id", problem);
}

async function refuseForeignFences(
  tx: Transaction,
  lines: readonly (OnLine<AlertSettings> & { readonly entry: DirectoryEntry })[],
): Promise<void> {
  const named = lines.flatMap(({ record }) => record.rules.flatMap((rule) => rule.geofenceIds));
  const fences = new Map((await geofencesById(tx, named)).map((fence): [string, GeofenceRow] => [fence.id, fence]));
  for (const { line, record, entry } of lines) {
    for (const [ruleIndex, rule] of record.rules.entries()) {
      for (const [index, id] of rule.geofenceIds.entries()) {
        if (fences.get(id)?.account_id === entry.account_id) continue;
        const problem = `expected the id of a geofence of the device's account, got "${id}"`;
        throw doesNotFit(line, `rules[${ruleIndex}].geofence_ids[${index}]`, problem);
      }
    }
  }
}

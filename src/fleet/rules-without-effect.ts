import type { AlertRule } from "../domain/fleet.ts";
import { newestAlertSettings } from "../store/alert-settings-writes.ts";
import type { Transaction } from "../store/database.ts";
import { fencesOfDevices } from "../store/geofence-writes.ts";
import type { FleetFile } from "./fleet-file.ts";
import type { KnownDevices } from "./known.ts";

/** One mistake in a script that writes fleet files can cause a warning for every device. */
const maxWarnings = 20;
/** A rule may name thousands of fences. */
const maxFencesNamed = 3;

interface Warning {
  readonly line: number;
  readonly text: string;
}

/**
 * Warns about rules that cannot apply: their device is assigned to none of their fences, or they are about crossings and
 * name no fence. Such a rule is no error: the assignment may be loaded later. This runs when everything is stored, so the
 * order of lines does not matter. `changed` are further devices whose fences this file changes.
 */
export async function rulesWithoutEffect(
  tx: Transaction,
  file: FleetFile,
  devices: KnownDevices,
  changed: Iterable<number>,
): Promise<string[]> {
  const settingsOfDevice = Map.groupBy(file.alertSettings, ({ record }) => record.deviceId);
  const lineOfFence = new Map(file.geofences.map(({ line, record }) => [record.id, line]));
  const named = file.alertSettings.flatMap(({ record }) => devices.get(record.deviceId)?.device ?? []);
  const settings = await newestAlertSettings(tx, [...named, ...(lineOfFence.size > 0 ? changed : [])]);
  const withFences = settings
    .map((row) => ({ ...row, rules: fencedRules(row.rules_json) }))
    .filter(({ rules }) => rules.length > 0);
  const assigned = Map.groupBy(
    await fencesOfDevices(
      tx,
      withFences.map(({ device }) => device),
    ),
    ({ device }) => device,
  );
  const warnings: Warning[] = [];
  for (const { device, id, imei, rules, rules_json } of withFences) {
    const own = new Set(assigned.get(device)?.map(({ geofence_id }) => geofence_id));
    // The version in force may be a newer one in the store, not one of the file.
    const ownLine = settingsOfDevice.get(id)?.find(({ record }) => JSON.stringify(record.rules) === rules_json)?.line;
    for (const { alertType, geofenceIds } of rules) {
      if (geofenceIds.some((fence) => own.has(fence))) continue;
      const line = ownLine ?? firstLine(geofenceIds, lineOfFence);
      if (line === null) continue;
      const why =
        geofenceIds.length === 0
          ? "it names no geofences"
          : `the device is assigned to none of its geofences (${listed(geofenceIds)})`;
      warnings.push({ line, text: `the ${alertType} rule of device ${id} (IMEI ${imei}) cannot apply: ${why}` });
    }
  }
  return inWords(warnings);
}

/** The rules that depend on fences. One that switches crossings off is meant to have no effect. */
function fencedRules(json: string): AlertRule[] {
  const rules = JSON.parse(json) as AlertRule[];
  return rules.filter(({ alertType, enabled, geofenceIds }) => {
    const isOfCrossings = alertType === "geofence_enter" || alertType === "geofence_exit";
    return isOfCrossings ? enabled : geofenceIds.length > 0;
  });
}

/** The first line of the file about one of these fences. */
function firstLine(ids: readonly string[], lines: ReadonlyMap<string, number>): number | null {
  const found = ids.find((id) => lines.has(id));
  return found === undefined ? null : (lines.get(found) ?? null);
}

function listed(ids: readonly string[]): string {
  const some = ids.slice(0, maxFencesNamed);
  const others = ids.length - some.length;
  return others === 0 ? some.join(", ") : `${some.join(", ")} and ${others} more`;
}

function inWords(warnings: readonly Warning[]): string[] {
  const inOrder = warnings.toSorted((one, other) => one.line - other.line);
  const lines = inOrder.slice(0, maxWarnings).map(({ line, text }) => `line ${line}: ${text}`);
  const others = inOrder.length - lines.length;
  return others === 0 ? lines : [...lines, `and ${others} more alert rules that cannot apply`];
}

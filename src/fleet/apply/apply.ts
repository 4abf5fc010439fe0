import { formatInstant } from "../../domain/time/time.ts";
import type { Transaction } from "../../store/database.ts";
import { directoryByImei } from "../../store/fleet/device-writes.ts";
import { Consequences } from "../consequences/consequences.ts";
import type { RuleWarning } from "../consequences/rule-warnings.ts";
import type { FleetFile } from "../parse/fleet-file.ts";
import type { FrameLines } from "../parse/frame-lines.ts";
import { DoesNotFit } from "../parse/reference.ts";
import { applyAccounts } from "./apply-accounts.ts";
import { applyAlertSettings } from "./apply-alert-settings.ts";
import { applyDevices } from "./apply-devices.ts";
import { applyDrivers } from "./apply-drivers.ts";
import { applyGeofences } from "./apply-geofences.ts";
import { applyUsers } from "./apply-users.ts";
import type { ApplyContext, OnProgress, Tally } from "./context.ts";
import { rulesWithoutEffect } from "./rules-without-effect.ts";

export interface LoadSummary {
  readonly accounts: Tally;
  readonly users: Tally;
  readonly devices: Tally;
  readonly drivers: Tally;
  readonly geofences: Tally;
  readonly alert_settings: Tally;
}

interface Applied {
  readonly consequences: Consequences;
  readonly summary: LoadSummary;
  /** What is stored but probably a mistake. */
  readonly warnings: readonly RuleWarning[];
}

const clockToleranceMs = 300_000;

/**
 * Makes the store match these lines: those of a file, or an edit in the portal. The caller holds the lock `fleet`, and
 * writes the consequences.
 */
export async function applyFleet(
  tx: Transaction,
  file: FleetFile,
  now: number,
  passwordHashes: ReadonlyMap<string, string> = new Map(),
  onProgress: OnProgress = () => {},
): Promise<Applied> {
  const consequences = new Consequences();
  const context: ApplyContext = { tx, file, now, consequences, onProgress };
  refuseVersionsToCome(file, now);
  const { numbers, tally: accounts } = await applyAccounts(context);
  const { users, tally: usersTally } = await applyUsers(context, numbers, passwordHashes);
  onProgress("storing devices", 0, file.devices.length);
  const { devices, tally: devicesTally } = await applyDevices(context, numbers, users);
  await refuseUnknownDevices(tx, file.frames);
  onProgress("storing devices", file.devices.length, file.devices.length);
  const drivers = await applyDrivers(context, numbers);
  const geofences = await applyGeofences(context, numbers, devices);
  const alert_settings = await applyAlertSettings(context, numbers, devices);
  const warnings = await rulesWithoutEffect(context, numbers, devices);
  const summary = { accounts, users: usersTally, devices: devicesTally, drivers, geofences, alert_settings };
  return { consequences, summary, warnings };
}

/** A frame of an unknown device is refused, as on the ingest port: devices are never created from frames. */
async function refuseUnknownDevices(tx: Transaction, { firstLineByImei }: FrameLines): Promise<void> {
  const known = new Set((await directoryByImei(tx, firstLineByImei.keys())).map(({ imei }) => imei));
  // Devices are in the order of their first lines.
  for (const [imei, line] of firstLineByImei) {
    if (known.has(imei)) continue;
    throw new DoesNotFit(line, "imei", `expected the IMEI of a device that is in this file or stored, got "${imei}"`);
  }
}

/**
 * The API shows the newest version of a fence, and that must not change by the mere passing of time. So a future version
 * cannot be stored yet. Clocks of two machines may differ a little.
 */
function refuseVersionsToCome(file: FleetFile, now: number): void {
  const refuse = (line: number, field: string, validFrom: number | null) => {
    if (validFrom === null || validFrom <= now + clockToleranceMs) return;
    const problem = `must be at most ${clockToleranceMs / 60_000} minutes in the future, got "${formatInstant(validFrom)}"`;
    throw new DoesNotFit(line, field, problem);
  };
  for (const { line, record } of [...file.geofences, ...file.alertSettings]) {
    refuse(line, "valid_from", record.valid_from);
  }
  for (const { line, record } of file.devices) {
    for (const [index, { valid_from }] of record.tag_versions?.entries() ?? []) {
      refuse(line, `tag_versions[${index}].valid_from`, valid_from);
    }
  }
}

import { formatInstant } from "../../domain/time.ts";
import type { Transaction } from "../../store/database.ts";
import { directoryByImei } from "../../store/fleet/device-writes.ts";
import type { Consequences } from "../consequences/consequences.ts";
import type { RuleWarning } from "../consequences/rule-warnings.ts";
import type { FleetFile } from "../parse/fleet-file.ts";
import type { FrameLines } from "../parse/frame-lines.ts";
import { doesNotFit } from "../parse/reference.ts";
import { applyAccounts } from "./apply-accounts.ts";
import { applyAlertSettings } from "./apply-alert-settings.ts";
import { applyDevices } from "./apply-devices.ts";
import { applyGeofences } from "./apply-geofences.ts";
import { applyUsers } from "./apply-users.ts";
import type { OnProgress } from "./progress.ts";
import { rulesWithoutEffect } from "./rules-without-effect.ts";
import type { Tally } from "./tally.ts";

export interface LoadSummary {
  readonly accounts: Tally;
  readonly users: Tally;
  readonly devices: Tally;
  readonly geofences: Tally;
  readonly alert_settings: Tally;
}

interface Applied {
  readonly summary: LoadSummary;
  /** What is stored but probably a mistake. */
  readonly warnings: readonly RuleWarning[];
}

const clockToleranceMs = 300_000;

/**
 * Makes the store match these lines: those of a file, or an edit in the portal. Whoever calls holds the lock `fleet`, and
 * writes the consequences.
 */
export async function applyFleet(
  tx: Transaction,
  file: FleetFile,
  passwordHashes: ReadonlyMap<string, string>,
  now: number,
  consequences: Consequences,
  onProgress: OnProgress = () => {},
): Promise<Applied> {
  refuseVersionsToCome(file, now);
  const accounts = await applyAccounts(tx, file, now, consequences);
  const users = await applyUsers(tx, file, accounts.numbers, passwordHashes, now, consequences);
  onProgress("storing devices", 0, file.devices.length);
  const devices = await applyDevices(tx, file, accounts.numbers, users.known, now, consequences);
  await refuseUnknownDevices(tx, file.frames);
  onProgress("storing devices", file.devices.length, file.devices.length);
  const geofences = await applyGeofences(tx, file, accounts.numbers, devices.known, now, onProgress, consequences);
  const known = { accounts: accounts.numbers, devices: devices.known };
  const alertSettings = await applyAlertSettings(tx, file, known, now, consequences);
  const warnings = await rulesWithoutEffect(
    tx,
    file,
    known,
    [...consequences.derivedAgain].map(({ key }) => key),
  );
  const summary: LoadSummary = {
    accounts: accounts.tally,
    users: users.tally,
    devices: devices.tally,
    geofences,
    alert_settings: alertSettings,
  };
  return { summary, warnings };
}

/** A frame of an unknown device is refused, as on the ingest port: devices are never created from frames. */
async function refuseUnknownDevices(tx: Transaction, { firstLineByImei }: FrameLines): Promise<void> {
  const known = new Set((await directoryByImei(tx, firstLineByImei.keys())).map(({ imei }) => imei));
  let first: { readonly imei: string; readonly line: number } | null = null;
  for (const [imei, line] of firstLineByImei) {
    if (!known.has(imei) && (first === null || line < first.line)) first = { imei, line };
  }
  if (first === null) return;
  const problem = `expected the IMEI of a device that is in this file or stored, got "${first.imei}"`;
  throw doesNotFit(first.line, "imei", problem);
}

/**
 * The API shows the newest version of a fence, and that must not change by the mere passing of time. So a future version
 * cannot be stored yet. Clocks of two machines may differ a little.
 */
function refuseVersionsToCome(file: FleetFile, now: number): void {
  const refuse = (line: number, field: string, validFrom: number | null) => {
    if (validFrom === null || validFrom <= now + clockToleranceMs) return;
    const problem = `must be at most ${clockToleranceMs / 60_000} minutes in the future, got "${formatInstant(validFrom)}"`;
    throw doesNotFit(line, field, problem);
  };
  for (const { line, record } of [...file.geofences, ...file.alertSettings]) {
    refuse(line, "valid_from", record.validFrom);
  }
  for (const { line, record } of file.devices) {
    for (const [index, { validFrom }] of record.tagVersions?.entries() ?? []) {
      refuse(line, `tag_versions[${index}].valid_from`, validFrom);
    }
  }
}

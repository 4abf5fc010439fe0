import { formatInstant } from "../domain/time.ts";
import type { Database } from "../store/database.ts";
import { applyAccounts } from "./apply-accounts.ts";
import { applyAlertSettings } from "./apply-alert-settings.ts";
import { applyDevices } from "./apply-devices.ts";
import { applyGeofences } from "./apply-geofences.ts";
import { hashNewPasswords } from "./apply-passwords.ts";
import { applyUsers } from "./apply-users.ts";
import type { FleetFile } from "./fleet-file.ts";
import type { OnProgress } from "./progress.ts";
import { doesNotFit } from "./reference.ts";
import type { Tally } from "./tally.ts";

export interface LoadSummary {
  readonly accounts: Tally;
  readonly users: Tally;
  readonly devices: Tally;
  readonly geofences: Tally;
  readonly alert_settings: Tally;
}

const clockToleranceMs = 300_000;

/**
 * Brings the store to what the file says, in one transaction: all of it or, if anything does not fit, nothing. Records that
 * say what is stored already are left alone, so that loading a file twice changes nothing.
 */
export async function loadFleet(
  database: Database,
  file: FleetFile,
  now: number,
  onProgress: OnProgress = () => {},
): Promise<LoadSummary> {
  refuseVersionsToCome(file, now);
  // Hashing is slow on purpose, so it is done before anyone has to wait for the transaction.
  const passwordHashes = await hashNewPasswords(database, file.users, onProgress);
  return database.transaction(async (tx) => {
    await tx.lock("fleet");
    const accounts = await applyAccounts(tx, file, now);
    const users = await applyUsers(tx, file, accounts.numbers, passwordHashes, now);
    onProgress("storing devices", 0, file.devices.length);
    const devices = await applyDevices(tx, file, accounts.numbers, users.known, now);
    onProgress("storing devices", file.devices.length, file.devices.length);
    const geofences = await applyGeofences(tx, file, accounts.numbers, devices.known, now, onProgress);
    const alertSettings = await applyAlertSettings(tx, file, devices.known, now);
    return {
      accounts: accounts.tally,
      users: users.tally,
      devices: devices.tally,
      geofences,
      alert_settings: alertSettings,
    };
  });
}

/**
 * What the API shows of a fence is its newest version, and does not change by itself as time goes by: so a version that is
 * still to come cannot be stored yet. Clocks of two machines may differ a little.
 */
function refuseVersionsToCome(file: FleetFile, now: number): void {
  for (const { line, record } of [...file.geofences, ...file.alertSettings]) {
    if (record.validFrom !== null && record.validFrom > now + clockToleranceMs) {
      const problem = `expected a time that has come, got "${formatInstant(record.validFrom)}"`;
      throw doesNotFit(line, "valid_from", problem);
    }
  }
}

import type { FleetFile } from "../../fleet/parse/fleet-file.ts";
import type { Reader } from "../../store/database.ts";
import { accountsById } from "../../store/fleet/accounts.ts";
import { directoryById, directoryByImei } from "../../store/fleet/device-writes.ts";

/** The numbers of all accounts that a fleet file has something to do with, once it is loaded. */
export async function accountsOfFile(reader: Reader, file: FleetFile): Promise<ReadonlySet<number>> {
  const accounts = new Set(file.accounts.map(({ record }) => record.id));
  const devices = new Set<string>();
  for (const { record } of [...file.users, ...file.devices, ...file.geofences]) accounts.add(record.accountId);
  for (const { record } of file.alertSettings) {
    if (record.scope.for === "device") devices.add(record.scope.deviceId);
    else accounts.add(record.scope.accountId);
  }
  const found = [
    ...(await accountsById(reader, accounts)),
    ...(await directoryById(reader, devices)),
    ...(await directoryByImei(reader, file.frames.firstLineByImei.keys())),
  ];
  return new Set(found.map(({ account_id }) => account_id));
}

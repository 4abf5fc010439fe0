import { Failure } from "../domain/errors.ts";
import { accountNumbers } from "../store/accounts.ts";
import type { Database, Reader } from "../store/database.ts";
import { accountLines, alertSettingsLines, deviceLines, geofenceLines, userLines } from "./lines.ts";
import type { OnProgress } from "./progress.ts";

/** In the order in which a reader expects them: what is referred to comes first. */
const types = {
  accounts: accountLines,
  users: userLines,
  devices: deviceLines,
  geofences: geofenceLines,
  alert_settings: alertSettingsLines,
} as const;

/** How many records of each type were written. One with several versions has several lines. */
export type ExportedCounts = Readonly<Record<keyof typeof types, number>>;

/** Enough to write at once. */
const linesPerWrite = 1_000;

/**
 * Writes the fleet as a fleet file: one account after the other, each as it is at one moment, and always in the same order.
 * `accountId` is the public id of the only one wanted; null: all.
 */
export async function exportFleet(
  database: Database,
  accountId: string | null,
  write: (text: string) => Promise<void>,
  onProgress: OnProgress,
): Promise<ExportedCounts> {
  const accounts = await accountsNamed(database, accountId);
  const counts = { accounts: 0, users: 0, devices: 0, geofences: 0, alert_settings: 0 };
  for (const [index, number] of accounts.entries()) {
    onProgress("writing accounts", index, accounts.length);
    // While it is read nobody changes it. It is written afterwards: everybody's frames wait for a transaction in SQLite.
    const lines = await database.transaction(async (tx) => {
      await tx.lock("fleet");
      return linesOf(tx, number, counts);
    });
    for (let start = 0; start < lines.length; start += linesPerWrite) {
      await write(lines.slice(start, start + linesPerWrite).join(""));
    }
  }
  onProgress("writing accounts", accounts.length, accounts.length);
  return counts;
}

async function accountsNamed(reader: Reader, id: string | null): Promise<number[]> {
  const all = await accountNumbers(reader);
  const wanted = id === null ? all : all.filter((account) => account.id === id);
  if (id !== null && wanted.length === 0) throw new Failure("NOT_FOUND", `there is no account with the id ${id}`);
  return wanted.map(({ account_id }) => account_id);
}

async function linesOf(reader: Reader, account: number, counts: Record<keyof typeof types, number>): Promise<string[]> {
  const texts: string[] = [];
  for (const [type, read] of Object.entries(types) as [keyof typeof types, typeof accountLines][]) {
    const lines = await read(reader, account, null);
    const records = new Set(lines.map(({ id, device_id, tag }) => id ?? device_id ?? tag));
    counts[type] += records.size;
    for (const line of lines) texts.push(`${JSON.stringify(line)}\n`);
  }
  return texts;
}

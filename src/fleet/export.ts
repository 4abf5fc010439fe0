import { Failure } from "../domain/errors.ts";
import { formatInstant } from "../domain/time/time.ts";
import { fromTheBeginning } from "../domain/versions.ts";
import type { Database, Reader } from "../store/database.ts";
import { accountNumbers } from "../store/fleet/accounts.ts";
import { usersOfAccount } from "../store/fleet/users.ts";
import type { OnProgress } from "./apply/context.ts";
import {
  accountLine,
  alertSettingsLines,
  deviceLines,
  driverLines,
  geofenceLines,
  type Line,
  userLines,
} from "./parse/lines.ts";

/** In the order in which a reader expects them: what is referred to comes first. */
const types = {
  accounts: async (reader: Reader, account: number) => [await accountLine(reader, account)],
  users: usersWithHashes,
  devices: (reader: Reader, account: number) => deviceLines(reader, account, null),
  drivers: (reader: Reader, account: number) => driverLines(reader, account, null),
  geofences: async (reader: Reader, account: number) => shortHistories(await geofenceLines(reader, account, null)),
  alert_settings: async (reader: Reader, account: number) =>
    shortHistories(inOrder(await alertSettingsLines(reader, account, null))),
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
  const counts = { accounts: 0, users: 0, devices: 0, drivers: 0, geofences: 0, alert_settings: 0 };
  for (const [index, account] of accounts.entries()) {
    onProgress("writing accounts", index, accounts.length);
    // While it is read nobody changes it. It is written afterwards: in SQLite everybody's frames wait for a transaction.
    const texts = await database.transaction(async (tx) => {
      await tx.lock("fleet");
      return textsOf(tx, account, counts);
    });
    for (let start = 0; start < texts.length; start += linesPerWrite) {
      await write(texts.slice(start, start + linesPerWrite).join(""));
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

async function textsOf(reader: Reader, account: number, counts: Record<keyof typeof types, number>): Promise<string[]> {
  const texts: string[] = [];
  for (const type of Object.keys(types) as (keyof typeof types)[]) {
    let last: string | null = null;
    for (const line of await types[type](reader, account)) {
      const record = recordNamed(line);
      if (record !== last) counts[type]++;
      last = record;
      texts.push(`${JSON.stringify(line)}\n`);
    }
  }
  return texts;
}

/**
 * Settings for all, then those of tags and of devices by their names: devices are stored by numbers, which differ from store
 * to store, and engines compare texts differently. Versions stay in ascending time.
 */
function inOrder(settings: readonly Line[]): Line[] {
  const key = ({ device_id, tag }: Line) => `${device_id ?? ""} ${tag ?? ""}`;
  return settings.toSorted((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
}

/** The portal's lines hold no hashes: nobody there needs them. */
async function usersWithHashes(reader: Reader, account: number): Promise<Line[]> {
  const rows = await usersOfAccount(reader, account, null);
  const hashes = new Map(rows.map(({ id, password_hash }) => [id, password_hash]));
  return (await userLines(reader, account, null)).map((line) => {
    const hash = hashes.get(String(line.id)) ?? null;
    return hash === null ? line : { ...line, password_hash: hash };
  });
}

const beginning = formatInstant(fromTheBeginning);

/**
 * The versions of records as the shortest history that says the same: one that repeats its predecessor is left out, as `load`
 * would not store it, and the beginning needs no moment. Lines of one record follow each other, in ascending time.
 */
function shortHistories(lines: readonly Line[]): Line[] {
  const short: Line[] = [];
  let before = "";
  for (const { valid_from, ...line } of lines) {
    const content = JSON.stringify(line);
    if (content !== before) short.push(valid_from === beginning ? (line as Line) : ({ ...line, valid_from } as Line));
    before = content;
  }
  return short;
}

function recordNamed({ id, device_id, account_id, tag }: Line): string {
  return String(id ?? device_id ?? `${account_id} ${tag ?? ""}`);
}

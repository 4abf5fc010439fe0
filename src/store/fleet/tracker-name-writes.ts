import { imeisWithKey, trackerKey } from "../../domain/text/identifiers.ts";
import { type TrackerNames, trackerKeys } from "../../domain/tracker-identity.ts";
import { bigint, type RowOf, text } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf, type Sql, sql } from "../sql.ts";
import { listed, omit, table } from "../table.ts";
import { takeNameChanges } from "./name-changes.ts";

/**
 * Who has which name. The key of every IMEI in the directory belongs to a device, and to one only. Of devices whose IMEIs differ in
 * leading zeros, which earlier versions allowed, one has it; the others have no tracker. The caller holds the lock `fleet`.
 */
export const trackerNameTable = table("tracker_names", ["tracker_key"], {
  tracker_key: text,
  account_id: bigint,
  device: bigint,
  /** See `name-changes.ts`. */
  name_change: bigint,
});

const unnumbered = omit(trackerNameTable.columns, "name_change");
type NameRow = RowOf<typeof unnumbered>;

const columns = listed(unnumbered);

export type NamedDevice = TrackerNames & Pick<NameRow, "account_id" | "device">;

/** Gives devices the names that they have in the directory by now. What another device has stays with that one. */
export async function saveTrackerNames(tx: Transaction, devices: readonly NamedDevice[]): Promise<void> {
  const rows = devices.flatMap((each) => {
    const { account_id, device } = each;
    return trackerKeys(each).map((tracker_key) => ({ tracker_key, account_id, device }));
  });
  const numbers = new Set(devices.map(({ device }) => device));
  const wanted = new Set(rows.map(({ device, tracker_key }) => `${device} ${tracker_key}`));
  const before = await namesWhere(tx, sql`device in ${listOf(numbers)}`);
  const given = before.filter(({ device, tracker_key }) => !wanted.has(`${device} ${tracker_key}`));
  const keys = given.map(({ tracker_key }) => tracker_key);
  await tx.run(sql`delete from tracker_names where tracker_key in ${listOf(keys)}`);
  await addFree(tx, rows);
  await passOn(tx, keys);
}

/** Takes the names from devices that were removed. `which` is a condition on a table with `account_id` and `device`. */
export async function freeTrackerNames(tx: Transaction, which: Sql): Promise<void> {
  const names = await namesWhere(tx, which);
  await tx.run(sql`delete from tracker_names where ${which}`);
  await passOn(
    tx,
    names.map(({ tracker_key }) => tracker_key),
  );
}

function namesWhere(reader: Reader, which: Sql): Promise<NameRow[]> {
  return reader.all(sql`select ${columns} from tracker_names where ${which}`);
}

/** Those that nobody has, the first of each. */
async function addFree(tx: Transaction, rows: readonly NameRow[]): Promise<void> {
  const keys = rows.map(({ tracker_key }) => tracker_key);
  const held = new Set(
    (await namesWhere(tx, sql`tracker_key in ${listOf(keys)}`)).map(({ tracker_key }) => tracker_key),
  );
  const free = Map.groupBy(
    rows.filter(({ tracker_key }) => !held.has(tracker_key)),
    ({ tracker_key }) => tracker_key,
  );
  const added = [...free.values()].flatMap(([first]) => first ?? []);
  if (added.length === 0) return;
  const change = await takeNameChanges(tx, added.length);
  await tx.insertMany(
    trackerNameTable,
    added.map((row, index) => ({ ...row, name_change: change + index })),
  );
}

/** What nobody has any more goes to the oldest device whose IMEI it is, filled up with zeros or not. */
async function passOn(tx: Transaction, keys: readonly string[]): Promise<void> {
  const heirs = await tx.all<Omit<NameRow, "tracker_key"> & { imei: string }>(sql`
    select account_id, device, imei from device_directory where imei in ${listOf(keys.flatMap(imeisWithKey))}`);
  heirs.sort((one, other) => one.device - other.device);
  await addFree(
    tx,
    heirs.map(({ imei, ...heir }) => ({ tracker_key: trackerKey(imei), ...heir })),
  );
}

import { tagRecordId } from "../../store/changes/viewer-records.ts";
import { accountViewer } from "../../store/changes/viewers.ts";
import type { Reader, Transaction } from "../../store/database.ts";
import { assignmentsOfDevices } from "../../store/fleet/assignments.ts";
import {
  type DriverRow,
  devicesDrivenWith,
  driverIdsIn,
  driversOfAccount,
  driverTagHolders,
  saveDrivers,
  tripsDrivenWith,
  vehiclesDrivenWith,
} from "../../store/fleet/drivers.ts";
import type { Consequences } from "../consequences/consequences.ts";
import type { DriverChange } from "../consequences/record-changes.ts";
import { DoesNotFit, requirePlainName } from "../parse/reference.ts";
import { accountNumber } from "./apply-accounts.ts";
import { type AccountNumbers, type ApplyContext, byId, difference, idsOf, type Tally } from "./context.ts";

/** Nothing is derived again: names are looked up when they are shown. */
export async function applyDrivers(
  { tx, file, now, consequences }: ApplyContext,
  accounts: AccountNumbers,
): Promise<Tally> {
  const lines = file.drivers.map(({ line, record: { id, account_id, name, driver_ids } }) => {
    const row: DriverRow = {
      account_id: accountNumber(accounts, account_id),
      id,
      name,
      driver_ids_json: JSON.stringify(driver_ids),
    };
    return { line, row };
  });
  const stored = new Map<string, DriverRow>();
  for (const [accountId, own] of Map.groupBy(lines, ({ row }) => row.account_id)) {
    const rows = own.map(({ row }) => row);
    for (const [id, before] of byId(await driversOfAccount(tx, accountId, idsOf(rows)))) stored.set(id, before);
    await refuseTakenTags(tx, accountId, own);
  }
  for (const { line, row } of lines) requirePlainName(line, row.name, stored.get(row.id));
  const { changes, toSave, tally } = difference(lines, stored);
  await saveDrivers(tx, toSave, now);
  for (const change of changes) consequences.changed.noteRow("driver", change.row.account_id, change);
  for (const [accountId, own] of Map.groupBy(changes, ({ row }) => row.account_id)) {
    // Of all drivers together: two may swap tags and names, so that none of their trips shows another name.
    const [old, rows] = [own.flatMap((change) => change.before ?? []), own.map(({ row }) => row)];
    const [before, after] = [namesByTag(old), namesByTag(rows)];
    const tags = new Set([...before.keys(), ...after.keys()]);
    const renamed = [...tags].filter((tag) => before.get(tag) !== after.get(tag));
    await showOtherDriver(tx, consequences, accountId, renamed);
    await noteDrivers(tx, consequences, accountId, { old, rows });
  }
  return tally;
}

function namesByTag(rows: readonly DriverRow[]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap((row) => driverIdsIn(row).map((tag) => [tag, row.name])));
}

/** Live positions and trips with one of these ids show another name from now on. */
export async function showOtherDriver(
  reader: Reader,
  consequences: Consequences,
  accountId: number,
  driverIds: Iterable<string>,
): Promise<void> {
  const ids = [...driverIds];
  consequences.records(accountId).driverRenamed(await tripsDrivenWith(reader, accountId, ids));
  const devices = await devicesDrivenWith(reader, accountId, ids);
  if (devices.length === 0) return;
  const assigned = await assignmentsOfDevices(reader, accountId, devices);
  consequences.show("live positions", accountId, [accountViewer, ...assigned.map(({ user_id }) => user_id)]);
}

/** Followers get these people, and the tags that become nobody's or somebody's. */
export async function noteDrivers(
  reader: Reader,
  consequences: Consequences,
  accountId: number,
  { old, rows }: { readonly old: readonly DriverRow[]; readonly rows: readonly DriverRow[] },
): Promise<void> {
  const tagsOf = (people: readonly DriverRow[]) => new Set(people.flatMap(driverIdsIn));
  const [before, after] = [tagsOf(old), tagsOf(rows)];
  const seen = await vehiclesDrivenWith(reader, accountId, before.union(after));
  const byTag = Map.groupBy(seen, ({ driver_id }) => driver_id);
  const vehicles = (tags: Iterable<string>) =>
    [...tags].flatMap((tag) => byTag.get(tag) ?? []).map(({ device }) => device);
  const people = [...new Set([...old, ...rows].map(({ id }) => id))].map((id): DriverChange => {
    const own = (all: readonly DriverRow[]) => vehicles(tagsOf(all.filter((row) => row.id === id)));
    return {
      id,
      driverId: null,
      isGone: rows.every((row) => row.id !== id),
      shownBy: own(rows),
      noLongerBy: own(old),
    };
  });
  const tags = [...before.symmetricDifference(after)]
    .filter((tag) => byTag.has(tag))
    .map((tag): DriverChange => {
      const isNamed = after.has(tag);
      return { id: tagRecordId(tag), driverId: tag, isGone: isNamed, shownBy: vehicles([tag]), noLongerBy: [] };
    });
  consequences.records(accountId).driversChanged([...people, ...tags]);
}

async function refuseTakenTags(
  tx: Transaction,
  accountId: number,
  lines: readonly { readonly line: number; readonly row: DriverRow }[],
): Promise<void> {
  const inFile = new Set(lines.map(({ row }) => row.id));
  const wanted = lines.flatMap(({ row }) => driverIdsIn(row));
  const holders = (await driverTagHolders(tx, accountId, wanted)).filter(({ id }) => !inFile.has(id));
  const taken = new Set(holders.map(({ driver_id }) => driver_id));
  for (const { line, row } of lines) {
    const other = driverIdsIn(row).find((driverId) => taken.has(driverId));
    if (other !== undefined) throw new DoesNotFit(line, "driver_ids", `${other} belongs to another driver already`);
  }
}

import { rulesVersion } from "../../domain/rules.ts";
import { type TrackerNames, trackerKeys } from "../../domain/tracker-identity.ts";
import type { Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { growFleetRevision } from "../fleet/fleet-context.ts";
import { forgetTrackerMessages } from "../fleet/tracker-messages.ts";
import { freeTrackerNames } from "../fleet/tracker-name-writes.ts";
import { leaveDeviceOut } from "../notifications/choices.ts";
import { leaveDeviceOutOfPlans } from "../notifications/planned-reports.ts";
import { limitTo, listOf, nothing, type Sql, sql } from "../sql.ts";

/**
 * Marks removed devices: from now on nothing is derived of them, and they are erased in steps (device-rows.ts). What describes
 * them is gone at once; the rows left of them are hidden until all else is gone, and say the IMEI and the tracker id as long, so that a command
 * that was interrupted can go on by it. `which` is a condition on a table with `account_id` and `device`.
 */
export async function markErasing(tx: Transaction, accountId: number, which: Sql, now: number): Promise<void> {
  const isMarked = sql`account_id = ${accountId} ${which}`;
  // First the account, then its devices: the order in which frames are stored, or the two would wait for each other.
  await growFleetRevision(tx, [accountId]);
  if (tx.engine === "postgres") {
    // Waits until nobody derives or stores anything of them. Those who come later begin again.
    await tx.all(sql`select device from device_folds where ${isMarked} order by device for update`);
  }
  await tx.writeAny(sql`
    update device_folds set revision = revision + 1, head_recorded_at = null, head_digest = null, dirty_from = null,
      dirty_until = null, untimely_until = null, dropped_until = null, offline_since = null, silent_at = null,
      rules = ${rulesVersion}, upgrade_claim = null, sealed_until = null, recent_frames = 0
    where ${isMarked}`);
  for (const name of describingTables) await tx.run(sql`delete from ${name} where ${isMarked}`);
  const marked = await tx.writeAny(sql`
    update devices set erasing_at = ${now}, removed_at = coalesce(removed_at, ${now}),
      removed_imei = case when removed_at is null then imei else removed_imei end,
      imei = 'removed ' || id, name = '', plate = null, status = 'inactive', vin = null, vehicle_make = null,
      vehicle_model = null, vehicle_year = null, vehicle_type = null, tracker_model = null, tracker_clock = null,
      tracker_protocol = null, fuel_tank_capacity_l = null, tags_json = '[]', external_ids_json = '{}', search_text = ''
    where ${isMarked}`);
  await tx.write(
    sql`
      update device_directory set imei = 'removed ' || id, tracker_protocol = null, erasing_at = ${now}
      where ${isMarked}`,
    marked,
  );
  await freeTrackerNames(tx, isMarked);
}

/** Waits until nobody stores anything of the account's devices; nobody does until this transaction ends. */
export async function lockHistories(tx: Transaction, accountId: number): Promise<void> {
  await growFleetRevision(tx, [accountId]);
  if (tx.engine !== "postgres") return;
  await tx.all(sql`select device from device_folds where account_id = ${accountId} order by device for update`);
}

const describingTables = [
  sql`assignments`,
  sql`geofence_assignments`,
  sql`alert_settings_versions`,
  sql`device_tag_versions`,
  sql`latest_positions`,
  sql`notification_items`,
];

export async function forgetDeviceRecord(
  tx: Transaction,
  accountId: number,
  { id, imei, tracker_id }: TrackerNames & { readonly id: string },
): Promise<void> {
  await tx.run(sql`
    delete from record_revisions
    where account_id = ${accountId} and type in ('device', 'alert_settings') and id = ${id}`);
  await leaveDeviceOut(tx, accountId, id);
  await leaveDeviceOutOfPlans(tx, accountId, id);
  // In other accounts, too, but not in this transaction (erase-marked.ts).
  await tx.run(sql`delete from unknown_devices where account_id = ${accountId} and imei = ${imei}`);
  await forgetTrackerMessages(tx, [imei]);
  const keys = listOf(trackerKeys({ imei, tracker_id }));
  await tx.run(sql`delete from unknown_devices where account_id = ${accountId} and tracker_key in ${keys}`);
  await tx.run(sql`delete from expected_trackers where account_id = ${accountId} and tracker_key in ${keys}`);
}

/** Devices that are marked, of one account or of all. The directory has all accounts' on every machine. */
export function erasingDevices(reader: Reader, accountId: number | null, count: number): Promise<DeviceKey[]> {
  const ofAccount = accountId === null ? nothing : sql`and account_id = ${accountId}`;
  return reader.all(sql`
    select account_id as "accountId", device from device_directory
    where erasing_at is not null ${ofAccount} order by account_id, device ${limitTo(count)}`);
}

/** The IMEIs and tracker ids that these devices of an account had before they were marked. */
export async function trackersOfErasing(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<readonly string[]> {
  const rows = await reader.all<{ removed_imei: string | null; tracker_id: string | null }>(sql`
    select removed_imei, tracker_id from devices where account_id = ${accountId} and device in ${listOf(devices)}`);
  return rows.flatMap(({ removed_imei, tracker_id }) => [removed_imei ?? [], tracker_id ?? []].flat());
}

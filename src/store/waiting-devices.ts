import { rulesVersion } from "../domain/rules.ts";
import type { Reader, Transaction } from "./database.ts";
import type { DeviceKey } from "./device-key.ts";
import { limitTo } from "./pages.ts";
import { nothing, type Sql, sql } from "./sql.ts";

/** Devices that follow earlier rules, and wait to be derived again. */

export async function countWaiting(reader: Reader): Promise<number> {
  const row = await reader.get<{ count: number }>(
    sql`select count(*) as count from device_folds where rules < ${rulesVersion}`,
  );
  return row?.count ?? 0;
}

/** Waiting devices in order, after one of them, that nobody is deriving now. */
export function waitingDevices(
  reader: Reader,
  after: DeviceKey | null,
  now: number,
  count: number,
): Promise<DeviceKey[]> {
  const start = after === null ? nothing : sql`and (account_id, device) > (${after.accountId}, ${after.device})`;
  return keys(reader, sql`rules < ${rulesVersion} ${start}`, now, count);
}

/** Those among them with late frames or a changed fleet, which come first. */
export function waitingWithLateFrames(reader: Reader, now: number, count: number): Promise<DeviceKey[]> {
  return keys(reader, sql`dirty_from is not null and rules < ${rulesVersion}`, now, count);
}

function keys(reader: Reader, condition: Sql, now: number, count: number): Promise<DeviceKey[]> {
  // Also one from a clock that was ahead.
  const abandoned = sql`(upgrade_claim < ${claimAt(now - claimMs)} or upgrade_claim > ${claimAt(now + claimMs)})`;
  return reader.all(sql`
    select account_id as "accountId", device from device_folds
    where ${condition} and (upgrade_claim is null or ${abandoned}) order by account_id, device ${limitTo(count)}`);
}

/** Much longer than the time between two renewals. */
const claimMs = 30_000;

/** A moment and a random number, so that no two are equal. */
export function newClaim(now: number): number {
  return claimAt(now) + Math.floor(Math.random() * 1000);
}

function claimAt(moment: number): number {
  return moment * 1000;
}

/**
 * Says who derives the device, which the caller holds. Only that one may write what it finds; it takes in the late frames that
 * are stored until now.
 */
export async function claimDevice(tx: Transaction, { accountId, device }: DeviceKey, claim: number): Promise<void> {
  await tx.run(sql`
    update device_folds set upgrade_claim = ${claim}, dirty_from = null, dirty_until = null
    where account_id = ${accountId} and device = ${device}`);
}

/** Renews a claim. Returns whether it was still valid: another may have claimed the device since. */
export async function renewClaim(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  claim: number,
  next: number | null,
): Promise<boolean> {
  const renewed = await tx.run(sql`
    update device_folds set upgrade_claim = ${next}
    where account_id = ${accountId} and device = ${device} and upgrade_claim = ${claim}`);
  return renewed > 0;
}

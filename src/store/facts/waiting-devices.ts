import { rulesVersion } from "../../domain/rules.ts";
import type { Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { nothing, type Sql, sql } from "../sql.ts";
import { deviceKeys } from "./folds.ts";

/** Devices that follow earlier rules, and wait to be derived again. */

export async function countWaitingDevices(reader: Reader, accountId: number): Promise<number> {
  const row = await reader.get<{ count: number }>(
    sql`select count(*) as count from device_folds where account_id = ${accountId} and rules < ${rulesVersion}`,
  );
  return row?.count ?? 0;
}

/** The next waiting device of an account, after one of them, that nobody is deriving at this time of the store's clock. */
export async function nextWaiting(
  reader: Reader,
  accountId: number,
  after: number | null,
  now: number,
): Promise<DeviceKey | null> {
  const start = after === null ? nothing : sql`and device > ${after}`;
  return (await keys(reader, accountId, start, now, 1))[0] ?? null;
}

/** Those among them with late frames or a changed fleet, which come first. */
export function waitingWithLateFrames(
  reader: Reader,
  accountId: number,
  now: number,
  count: number,
): Promise<DeviceKey[]> {
  return keys(reader, accountId, sql`and dirty_from is not null`, now, count);
}

function keys(reader: Reader, accountId: number, which: Sql, now: number, count: number): Promise<DeviceKey[]> {
  // Also one from a clock that was ahead.
  const abandoned = sql`(upgrade_claim < ${claimAt(now - claimMs)} or upgrade_claim > ${claimAt(now + claimMs)})`;
  const isFree = sql`rules < ${rulesVersion} ${which} and (upgrade_claim is null or ${abandoned})`;
  return deviceKeys(reader, accountId, isFree, count);
}

/** Much longer than the time between two renewals. */
const claimMs = 30_000;

/** A moment of the store's clock and a random number, so that no two are equal. */
export function newClaim(now: number): number {
  return claimAt(now) + Math.floor(Math.random() * 1000);
}

function claimAt(moment: number): number {
  return moment * 1000;
}

/** Says who derives the device, which the caller holds. Only that one may write; it takes in the late frames so far. */
export async function claimDevice(tx: Transaction, { accountId, device }: DeviceKey, claim: number): Promise<void> {
  await tx.write(sql`
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
  const renewed = await tx.writeAny(sql`
    update device_folds set upgrade_claim = ${next}
    where account_id = ${accountId} and device = ${device} and upgrade_claim = ${claim}`);
  return renewed > 0;
}

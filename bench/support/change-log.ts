import { createKey } from "../../src/access/keys.ts";
import { DeviceChangeBuilder } from "../../src/domain/changes/device-change.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import { changeRowOf, changeTable } from "../../src/store/changes/change-entries.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { type BenchFleet, devicesWithFrames, framesInTurns, lastFrameAt, seedBenchFleet } from "./fleet.ts";
import { storeFrames } from "./store-frames.ts";

const accountId = 1;
const subAccountId = "00000000-0000-4000-8000-000000000002";
const subAccountEmail = "few@bench.test";
const frameGapMs = 10_000;
/** Of each device. Every change in the log is about one of them, so that a page of 100 shows 100 changes. */
const framesEach = 10;
const rowsPerCommit = 20_000;
const createdAt = Date.UTC(2026, 0, 1);

export interface FollowedFleet extends BenchFleet {
  /** Of a sub-account that sees few of the devices. */
  readonly fewDevicesKey: string;
}

/** A large fleet of which every device has some frames, and a sub-account with few of its devices. */
export async function seedFollowedFleet(database: Database, devices: number, few: number): Promise<FollowedFleet> {
  const fleet = await seedBenchFleet(database, devices, devicesWithFrames * framesEach);
  const numbers = Array.from({ length: devices }, (_, index) => index + 1);
  await storeFrames(database, accountId, framesInTurns(numbers.slice(devicesWithFrames), framesEach));
  await database.transaction(async (tx) => {
    // The log is written by `fillLog` alone.
    await tx.run(sql`delete from changes`);
    await tx.run(sql`
      insert into users (id, account_id, role, name, email, email_key, status, created_at, updated_at)
      values (${subAccountId}, ${accountId}, 'sub_account', 'Few', ${subAccountEmail}, ${subAccountEmail}, 'active',
        ${createdAt}, ${createdAt})`);
    await tx.run(sql`
      insert into assignments (account_id, user_id, id, imei, device, created_at)
      select account_id, ${subAccountId}, id, imei, device, ${createdAt} from devices
      where device % ${Math.floor(devices / few)} = 0`);
    await tx.run(sql`
      insert into viewer_revisions (account_id, user_id, revision) values (${accountId}, ${subAccountId}, 1)`);
  });
  const request = { email: subAccountEmail, name: "bench", scopes: allScopes };
  const unlimited = { perSecond: null, perDay: null, expiresAt: null };
  const { secret } = await createKey(database, { ...request, ...unlimited }, createdAt);
  return { ...fleet, fewDevicesKey: secret };
}

/** Writes the changes from one number up to another, as batches of single frames of all devices would have. */
export async function fillLog(database: Database, devices: number, from: number, until: number): Promise<void> {
  for (let begin = from; begin < until; begin += rowsPerCommit) {
    const end = Math.min(until, begin + rowsPerCommit);
    const rows = Array.from({ length: end - begin }, (_, index) => {
      const number = begin + index + 1;
      const at = lastFrameAt - ((number % framesEach) + 1) * frameGapMs;
      const change = new DeviceChangeBuilder().add("position", at).build();
      // Devices in turns, but not in the order of their numbers.
      const device = ((number * 7919) % devices) + 1;
      return changeRowOf({ accountId, number, changedAt: at }, { device, change, isShared: true });
    });
    await database.transaction(async (tx) => {
      await tx.insertMany(changeTable, rows);
      await tx.run(
        sql`update viewer_revisions set changes = ${end}, position_changes = ${end} where account_id = ${accountId}`,
      );
    });
    if (process.stderr.isTTY) process.stderr.write(`\r${end} changes`);
  }
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
}

import { expect, test } from "bun:test";
import { DeviceChangeBuilder } from "../../src/domain/changes/device-change.ts";
import { type TrackedType, topicOf } from "../../src/domain/changes/types.ts";
import { logChanges } from "../../src/store/changes/changes.ts";
import { nextChange, showSubAccounts } from "../../src/store/changes/viewers.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { uuid } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { devices, home, newYear } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { startFollowing } from "./following.ts";

const [, truck] = devices;
/** More than are skipped at once. */
const many = 2_200;

onEachEngine("a follower of some types", (engine) => {
  /** Two who see the truck, and what they were told before it moved that often. Each test is about other types. */
  const given = engine.shared(
    async (store) => {
      const following = await startFollowing(store);
      const drive = { imei: truck.imei, from: home, beginAt: newYear, minutes: 20, kmh: 60 };
      await take(store.database, [straightDrive(drive)]);
      const viewers = [];
      for (const key of [following.keys.olga, following.keys.bob]) {
        const after = await following.now(key);
        const query = `types=alert,user&after=${encodeURIComponent(after)}`;
        const { headers } = await following.ask(query, key);
        const tag = { "If-None-Match": headers.get("ETag") ?? "" };
        viewers.push({ key, after, status: async () => (await following.ask(query, key, tag)).status });
      }
      await change(store.database, "position", many, newYear - 86_400_000);
      return { following, viewers };
    },
    ({ following }) => following.api.close(),
  );

  test("is told 304 however many changes of other types there are", async () => {
    const { following, viewers } = given();
    for (const { status } of viewers) expect(await status()).toBe(304);
    // An alert and a crossing share their counter, so these are looked at, and skipped.
    await change(following.database, "geofence_event", 700, 1);
    for (const { status } of viewers) expect([await status(), await status()]).toEqual([304, 304]);
  });

  test("finds the one change that it wants among many, in pages of one", async () => {
    const { following, viewers } = given();
    const trip = await following.database.get<{ started_at: number }>(sql`
      select started_at from trips t join devices d on d.account_id = t.account_id and d.device = t.device
      where d.id = ${truck.id} limit 1`);
    expect(trip).not.toBeNull();
    await change(following.database, "trip", 1, trip?.started_at ?? 0);
    for (const { key, after } of viewers) {
      const changes = await following.since(after, key, "types=trip&limit=1");
      expect(changes.map(({ type }) => type)).toEqual(["trip"]);
    }
  });
});

/** So many transactions that changed something of the truck. */
async function change(database: Database, type: TrackedType, times: number, at: number): Promise<void> {
  const row = await database.get<{ account_id: number; device: number }>(sql`
    select account_id, device from devices where id = ${truck.id}`);
  const { account_id: accountId, device } = row ?? { account_id: 0, device: 0 };
  await database.transaction(async (tx) => {
    const sight = { shown: "neither", about: new Set([topicOf(type)]) } as const;
    const changed = [{ device, change: new DeviceChangeBuilder().add(type, at).build(), isShared: true }];
    for (let time = 0; time < times; time++) {
      const number = await nextChange(tx, accountId, sight);
      await showSubAccounts(tx, accountId, number, new Map([[uuid(13), sight]]));
      await logChanges(tx, accountId, number, Date.now(), changed);
    }
  });
}

import { expect, test } from "bun:test";
import { MemoryBases } from "../../src/derive/base.ts";
import { storeBatch } from "../../src/derive/batch.ts";
import { AccountContexts } from "../../src/derive/context.ts";
import { DeviceChangeBuilder } from "../../src/domain/changes/device-change.ts";
import type { TrackedType } from "../../src/domain/changes/types.ts";
import { arrivalOf } from "../../src/intake/arrival.ts";
import { logChanges } from "../../src/store/changes/changes.ts";
import { nextChange, showSubAccounts } from "../../src/store/changes/viewers.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { smallFleet, uuid } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { devices, home, newYear, truckImei } from "../support/ingest-fleet.ts";
import { accountNumber, take } from "../support/ingest-node.ts";
import type { Change } from "./copy.ts";
import { ofType, startFollowing, vanDrive } from "./following.ts";

onEachEngine("transactions that overlap", (engine) => {
  test("are reported in the order of their commits, and none is skipped by who polls in between", async () => {
    const following = await startFollowing(await engine.fresh());
    const { database } = following;
    let after = await following.now();
    const truckDrive = straightDrive({ imei: truckImei, from: home, beginAt: newYear, minutes: 10, kmh: 50 });
    const reported: Change[] = [];
    const poll = async () => {
      const { changes, resumeAfter } = await following.follow(after);
      reported.push(...changes);
      after = resumeAfter;
    };
    const [first, last] = [truckDrive.slice(0, 30), truckDrive.slice(30)];
    const written = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    // A transaction that has written everything, but is slow to commit. SQLite has one writer, so there it cannot wait.
    const slow = database.transaction(async (tx) => {
      const context = await new AccountContexts().hold(tx, await accountNumber(database));
      if (context === null) throw new Error("there is no account");
      const arrivals = first.map((frame) => arrivalOf(frame));
      await storeBatch(tx, context, new MemoryBases(), arrivals);
      written.resolve();
      if (engine.name === "postgres") await mayCommit.promise;
    });
    await written.promise;
    const other = await following.open();
    const later = [take(other, [vanDrive()]), following.load({ ...smallFleet.ann, name: "Anne" }), take(other, [last])];
    for (let polls = 0; polls < 5; polls++) await poll();
    mayCommit.resolve();
    let isOver = false;
    const done = Promise.all([slow, ...later]).then(() => {
      isOver = true;
    });
    while (!isOver) {
      await poll();
      // A store that answers at once would leave the others no turn.
      await new Promise((resume) => setImmediate(resume));
    }
    await done;
    await poll();
    const positions = new Set(ofType(reported, "position").map(({ id }) => id));
    expect(positions.size).toBe(vanDrive().length + truckDrive.length);
    expect(ofType(reported, "user").map(({ id }) => id)).toEqual([smallFleet.ann.id]);
    await following.api.close();
  });
});

const [, truck] = devices;

/** More than are skipped at once. */
const many = 2_200;

onEachEngine("a follower of some types", (engine) => {
  /** Two who see the truck, and what they were shown before it moved that often. Each test is about other types. */
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

  test("gets 304 however many changes of other types there are", async () => {
    const { following, viewers } = given();
    for (const { status } of viewers) expect(await status()).toBe(304);
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
    const sight = { shown: "neither", about: new Set([type]) } as const;
    const changed = [{ device, change: new DeviceChangeBuilder().add(type, at).build(), isShared: true }];
    for (let time = 0; time < times; time++) {
      const number = await nextChange(tx, accountId, sight);
      await showSubAccounts(tx, accountId, number, new Map([[uuid(13), sight]]));
      await logChanges(tx, accountId, number, Date.now(), changed);
    }
  });
}

import { expect, test } from "bun:test";
import { MemoryBases } from "../../src/derive/base.ts";
import { storeBatch } from "../../src/derive/batch.ts";
import { AccountContexts } from "../../src/derive/context.ts";
import { arrivalOf } from "../../src/intake/arrival.ts";
import { onEachEngine } from "../support/engines.ts";
import { smallFleet } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { home, newYear, truckImei } from "../support/ingest-fleet.ts";
import { accountNumber, take } from "../support/ingest-node.ts";
import type { Change } from "./copy.ts";
import { ofType, startFollowing, vanDrive } from "./following.ts";

onEachEngine("transactions that overlap", (engine) => {
  test("are told in the order of their commits, and none is skipped by who polls in between", async () => {
    const following = await startFollowing(await engine.fresh());
    const { database } = following;
    let after = await following.now();
    const truckDrive = straightDrive({ imei: truckImei, from: home, beginAt: newYear, minutes: 10, kmh: 50 });
    const told: Change[] = [];
    const poll = async () => {
      const { changes, resumeAfter } = await following.follow(after);
      told.push(...changes);
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
    const positions = new Set(ofType(told, "position").map(({ id }) => id));
    expect(positions.size).toBe(vanDrive().length + truckDrive.length);
    expect(ofType(told, "user").map(({ id }) => id)).toEqual([smallFleet.ann.id]);
    await following.api.close();
  });
});

import { expect, test } from "bun:test";
import { foreground } from "../../src/derive/pace.ts";
import { watchClock } from "../../src/intake/clock-watch.ts";
import { startIngest } from "../../src/intake/service.ts";
import type { Observation } from "../../src/observe/observation.ts";
import { onEachEngine } from "../support/engines.ts";
import { freshFleet, home, newYear, vanImei } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { noReport } from "../support/random-drive.ts";

const hourMs = 3_600_000;

onEachEngine("a server's clock", (engine) => {
  test("is warned of when a frame in the store was received later than now", async () => {
    const { database } = await freshFleet(engine);
    const seenAt = async (now: number) => {
      const seen: Observation[] = [];
      await watchClock(database, now, (observation) => seen.push(observation), foreground);
      return seen;
    };
    expect(await seenAt(0)).toEqual([]);
    await take(database, [[{ ...noReport, imei: vanImei, recordedAt: newYear, receivedAt: newYear, ...home }]]);
    expect(await seenAt(newYear)).toEqual([]);
    // A gateway may name a receipt that is five minutes ahead.
    expect(await seenAt(newYear - 300_000)).toEqual([]);
    expect(await seenAt(newYear - hourMs)).toEqual([
      {
        kind: "clock_behind",
        behindSeconds: 3600,
        clock: "2026-01-01T08:00:00.000Z",
        newestReceipt: "2026-01-01T09:00:00.000Z",
      },
    ]);
  });

  test("is looked at when the server starts", async () => {
    const { database } = await freshFleet(engine);
    const receivedAt = Date.now() + hourMs;
    await take(database, [[{ ...noReport, imei: vanImei, recordedAt: newYear, receivedAt, ...home }]]);
    const warned = Promise.withResolvers<Observation>();
    const service = startIngest({
      database,
      observe: (observation) => {
        if (observation.kind === "clock_behind") warned.resolve(observation);
      },
      metrics: async () => "",
      retainDays: null,
    });
    try {
      expect(await warned.promise).toMatchObject({ newestReceipt: new Date(receivedAt).toISOString() });
    } finally {
      await service.close();
    }
  });
});

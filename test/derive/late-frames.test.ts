import { expect, test } from "bun:test";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { frameDigest } from "../../src/store/blocks/frame-digest.ts";
import { plainSql } from "../../src/store/sql.ts";
import { derivedFrom, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { freshFleet, newYear, vanFrame } from "../support/ingest-fleet.ts";
import { forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";

const minuteMs = 60_000;

/** Standing there for a while: a frame a minute. */
function parked(count: number, from: number = newYear): IncomingFrame[] {
  return Array.from({ length: count }, (_, index) => vanFrame(from + index * minuteMs, { ignition: false }));
}

onEachEngine("a frame of the very moment at which a state is kept", (engine) => {
  test("is folded when it comes late, whether it sorts before that state or after it", async () => {
    const { database } = await freshFleet(engine);
    const frames = parked(200);
    await take(database, [frames]);
    const kept = await database.all<{ recorded_at: number; digest: number }>(
      plainSql("select recorded_at, digest from fold_checkpoints order by recorded_at"),
    );
    expect(kept.length).toBeGreaterThan(0);
    for (const { recorded_at, digest } of kept) {
      const same = Array.from({ length: 20 }, (_, index) => vanFrame(recorded_at, { event: "sos", altitude_m: index }));
      const [before, after] = [
        same.find((frame) => frameDigest(frame) < digest),
        same.find((frame) => frameDigest(frame) > digest),
      ];
      for (const late of [before, after]) {
        if (late === undefined) throw new Error("twenty digests are all on one side");
        const together = await derivedFrom(database, [[...frames, late]]);
        expect(together.alerts.map(({ alert_type }) => alert_type)).toContain("sos");
        expect(differencesOf(together, await derivedFrom(database, [frames, [late]]))).toEqual([]);
      }
    }
  });
});

onEachEngine("what a frame completes about which a state is kept", (engine) => {
  test("is not lost to a frame that comes late, before it or after it", async () => {
    const { database } = await freshFleet(engine);
    const frames = parked(200).map((frame, minute) => {
      const battery_percent = minute === 100 || minute === 101 ? 5 : minute === 127 ? 90 : null;
      return { ...frame, battery_percent };
    });
    const at = frames[127]?.recordedAt ?? 0;
    for (const minute of [10.5, 150.5]) {
      await forgetFrames(database);
      await take(database, [frames, [vanFrame(newYear + minute * minuteMs)]]);
      const [kept] = await database.all<{ at: number }>(plainSql("select recorded_at as at from fold_checkpoints"));
      expect(kept?.at).toBe(at);
      const { alerts } = await derivedTables(database);
      expect(alerts.map(({ alert_type, ended_at }) => [alert_type, ended_at])).toEqual([["low_battery", at]]);
    }
  });
});

onEachEngine("what the first of two frames of one moment completes", (engine) => {
  test("is not lost to a frame that comes late, since no state is kept after both of them", async () => {
    const { database } = await freshFleet(engine);
    // Kept after 128 frames if that is possible. The first of the two is final then, and the second is not.
    const at = newYear + 126 * minuteMs;
    const charged = vanFrame(at, { battery_percent: 90 });
    const second = Array.from({ length: 20 }, (_, altitude_m) => vanFrame(at, { altitude_m })).find(
      (frame) => frameDigest(frame) > frameDigest(charged),
    );
    if (second === undefined) throw new Error("twenty digests are all on one side");
    const frames = parked(200).toSpliced(126, 2, charged, second);
    for (const low of [100, 101]) frames[low] = { ...(frames[low] as IncomingFrame), battery_percent: 5 };
    const late = vanFrame(newYear + 150.5 * minuteMs);
    await take(database, [[...frames, late]]);
    const together = await derivedTables(database);
    expect(together.alerts.map(({ alert_type, ended_at }) => [alert_type, ended_at])).toEqual([["low_battery", at]]);
    expect(differencesOf(together, await derivedFrom(database, [frames, [late]]))).toEqual([]);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });
});

onEachEngine("a late frame that comes together with new ones", (engine) => {
  test("takes nothing from them, though the late one changes nothing for long", async () => {
    const { database } = await freshFleet(engine);
    const frames = parked(200).map((frame, index) => (index === 180 ? { ...frame, event: "sos" } : frame));
    await take(database, [frames]);
    const together = await derivedTables(database);
    await forgetFrames(database);
    const writer = newWriter(database);
    // Between the late one and the new ones there are states that are what they were.
    await take(database, [frames.slice(0, 170).toSpliced(10, 1)], writer);
    await take(database, [[...frames.slice(170, 190), ...frames.slice(10, 11)], frames.slice(190)], writer);
    expect(differencesOf(together, await derivedTables(database))).toEqual([]);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });
});

onEachEngine("frames that come while others of their device are being derived again", (engine) => {
  test("are stored at once, and derived with those others", async () => {
    const { database } = await freshFleet(engine);
    const frames = parked(600);
    await take(database, [frames]);
    const together = await derivedTables(database);
    await forgetFrames(database);
    const writer = newWriter(database);
    await take(database, [frames.slice(300, 590)], writer);
    const late = take(database, [frames.slice(0, 300)], writer);
    for (const frame of frames.slice(590)) expect(await take(database, [[frame]], writer)).toEqual(["accepted"]);
    await late;
    await writer.schedule.deriveLeft();
    expect(differencesOf(together, await derivedTables(database))).toEqual([]);
  });
});

import { expect, test } from "bun:test";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { frameDigest } from "../../src/store/frame-digest.ts";
import { plainSql } from "../../src/store/sql.ts";
import { derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { home, loadIngestFleet, newYear, vanImei } from "../support/ingest-fleet.ts";
import { forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { noReport } from "../support/random-drive.ts";

const minuteMs = 60_000;

function frameAt(recordedAt: number, fields: Partial<IncomingFrame> = {}): IncomingFrame {
  return { ...noReport, imei: vanImei, recordedAt, receivedAt: recordedAt + 1_000, ...home, ...fields };
}

/** Standing there for a while: a frame a minute. */
function parked(count: number, from: number = newYear): IncomingFrame[] {
  return Array.from({ length: count }, (_, index) => frameAt(from + index * minuteMs, { ignition: false }));
}

onEachEngine("a frame of the very moment at which a state is kept", (engine) => {
  test("is folded when it comes late, whether it sorts before that state or after it", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const frames = parked(200);
    await take(database, [frames]);
    const kept = await database.all<{ recorded_at: number; digest: number }>(
      plainSql("select recorded_at, digest from fold_checkpoints order by recorded_at"),
    );
    expect(kept.length).toBeGreaterThan(0);
    for (const { recorded_at, digest } of kept) {
      const same = Array.from({ length: 20 }, (_, index) => frameAt(recorded_at, { event: "sos", altitude_m: index }));
      const [before, after] = [
        same.find((frame) => frameDigest(frame) < digest),
        same.find((frame) => frameDigest(frame) > digest),
      ];
      for (const late of [before, after]) {
        if (late === undefined) throw new Error("twenty digests are all on one side");
        await forgetFrames(database);
        await take(database, [[...frames, late]]);
        const together = await derivedTables(database);
        expect(together.alerts.map(({ alert_type }) => alert_type)).toContain("sos");
        await forgetFrames(database);
        await take(database, [frames, [late]]);
        expect(differencesOf(together, await derivedTables(database))).toEqual([]);
      }
    }
  });
});

onEachEngine("what two frames of one moment complete", (engine) => {
  const noPlace = { latitude: null, longitude: null };
  test.each([
    // Every verdict is final at once, so what the second completes is later than a state between the two.
    ["the second, without a position", noPlace, 127, "second", 10],
    // The first is final with the second, so what it completed is earlier than a state after both.
    ["the first, with a position", {}, 126, "first", 150],
  ] as const)("is lost to no late frame: %s", async (_, place, index, which, lateMinute) => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const at = newYear + index * minuteMs;
    const charged = frameAt(at, { battery_percent: 90, ...place });
    const other = Array.from({ length: 20 }, (_, altitude_m) => frameAt(at, { altitude_m, ...place })).find(
      (frame) => frameDigest(frame) < frameDigest(charged) === (which === "second"),
    );
    if (other === undefined) throw new Error("twenty digests are all on one side");
    const frames = parked(200).map((frame) => ({ ...frame, ...place }));
    // After 128 frames a state is kept, as soon as that is possible.
    frames.splice(index, 2, charged, other);
    frames[100] = { ...(frames[100] as IncomingFrame), battery_percent: 5 };
    const late = frameAt(newYear + (lateMinute + 0.5) * minuteMs, place);
    await take(database, [[...frames, late]]);
    const together = await derivedTables(database);
    expect(together.alerts.map(({ alert_type, ended_at }) => [alert_type, ended_at])).toEqual([["low_battery", at]]);
    await forgetFrames(database);
    await take(database, [frames, [late]]);
    expect(differencesOf(together, await derivedTables(database))).toEqual([]);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });
});

onEachEngine("a late frame that comes together with new ones", (engine) => {
  test("takes nothing from them, though the late one changes nothing for long", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
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
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
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

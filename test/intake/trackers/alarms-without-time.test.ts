import { expect, test } from "bun:test";
import { storedAlerts } from "../../support/acknowledged-alerts.ts";
import { onEachEngine } from "../../support/engines.ts";
import { device, fleetText, hourMs, smallFleet } from "../../support/fleet.ts";
import { loadIngestFleet, newYear, vanFrame } from "../../support/ingest-fleet.ts";
import { accountNumber, newWriter } from "../../support/ingest-node.ts";
import { runOdograph } from "../../support/program.ts";
import { everyFrame, storedFrames } from "../../support/stored-frames.ts";
import { tk103Text } from "../../support/trackers/tk103-encoder.ts";
import { serveTrackers } from "../../support/trackers/tracker-server.ts";
import { WireTracker } from "../../support/trackers/wire-tracker.ts";

const id = "088046338039";
const imei = "860088046338039";
const sample = {
  ...{ id, kind: "BO012", at: Date.UTC(2026, 10, 17, 11, 59, 30), isLocated: true, north: 31_500_000, east: 8_040_000 },
  ...{ speedTenths: 0, heading: 0, ignition: true, metres: 0 },
};
const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
/** Of the 18th month. */
const oddDate = (kind: string, metres = 0) =>
  bytes(tk103Text({ ...sample, kind, metres }).replace("2261117", "2061830"));

onEachEngine("an alarm whose time cannot be read", (engine) => {
  const { acme, olga } = smallFleet;
  const vehicle = device(103, { account_id: acme.id, imei, tracker_id: id });

  test("is stored with the time of its receipt, marked, and once, however often its tracker sends it", async () => {
    const store = await engine.fresh();
    expect((await runOdograph(["load", "-"], { ...store, input: fleetText([acme, olga, vehicle]) })).code).toBe(0);
    const since = Date.now();
    for (const round of [1, 2]) {
      const server = await serveTrackers(store);
      for (const time of [1, 2]) {
        const tracker = new WireTracker("tk103", id, server.ports.tk103);
        expect([round, time, await tracker.connect(), await tracker.send(oddDate("BO012"))]).toEqual([
          ...[round, time, true, true],
        ]);
        tracker.close();
      }
      await server.kill();
    }
    const [first] = await everyFrame(store.database);
    expect(first?.frame).toMatchObject({ time_source: "receipt", latitude: 52.5, longitude: 13.4, fix: true });
    expect((await storedFrames(store.database)).filter(({ event }) => event === "sos").length).toBe(1);
    const alerts = (await storedAlerts(store.database)).filter(({ alert_type }) => alert_type === "sos");
    expect(alerts.length).toBe(1);
    expect(Number(alerts[0]?.occurred_at)).toBeGreaterThanOrEqual(since);
  });

  test("is another one with other bytes, or a day later, also where its first is packed away", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const account = await accountNumber(database);
    const writer = newWriter(database);
    const alarm = (at: number, alarmBytes: number) => ({
      ...vanFrame(at, { event: "sos", time_source: "receipt" as const }),
      receivedAt: at,
      alarmBytes,
    });
    const submit = async (...frames: ReturnType<typeof alarm>[]) => writer.submit(account, frames);
    const at = newYear + 123;
    // Two at once, as where a tracker sends again while the first waits.
    expect(await submit(alarm(at, 11), alarm(at + 5_000, 11), alarm(at + 6_000, 12))).toEqual([
      ...["accepted" as const, "duplicate" as const, "accepted" as const],
    ]);
    const drive = Array.from({ length: 600 }, (_, index) => vanFrame(at + 10_000 * (index + 1)));
    expect(new Set(await writer.submit(account, drive))).toEqual(new Set(["accepted"]));
    expect(await submit(alarm(at + 23 * hourMs, 11))).toEqual(["duplicate"]);
    expect(await submit(alarm(at + 25 * hourMs, 11))).toEqual(["accepted"]);
    // What was received before by another node.
    expect(await submit(alarm(at + 24 * hourMs, 11))).toEqual(["duplicate"]);
    const stored = (await everyFrame(database)).filter(({ frame }) => frame.event === "sos");
    expect(stored.map(({ frame }) => [frame.recordedAt - at, frame.time_source])).toEqual([
      [0, "receipt"],
      [6_000, "receipt"],
      [25 * hourMs, "receipt"],
    ]);
    // A heartbeat that says the same each time is no alarm: each of them is stored.
    const heartbeats = [1, 2].map((minute) => ({
      ...vanFrame(at + 26 * hourMs + minute * 60_000, { time_source: "receipt" as const }),
    }));
    expect(await writer.submit(account, heartbeats)).toEqual(["accepted", "accepted"]);
  });
});

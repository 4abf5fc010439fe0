import { expect, test } from "bun:test";
import { storedAlerts } from "../../support/acknowledged-alerts.ts";
import { keyOf } from "../../support/api.ts";
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
interface Rows {
  readonly data: readonly { readonly time_source: string }[];
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
/** Of the 18th month. */
const oddDate = (kind: string, metres = 0) =>
  bytes(tk103Text({ ...sample, kind, metres }).replace(/261117(?=A)/, "061830"));

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

  test("says so in positions, in the export and in what explains the day; other messages without a time are answered and not stored", async () => {
    const store = await engine.fresh();
    expect((await runOdograph(["load", "-"], { ...store, input: fleetText([acme, olga, vehicle]) })).code).toBe(0);
    const server = await serveTrackers(store);
    const tracker = new WireTracker("tk103", id, server.ports.tk103);
    expect(await tracker.connect()).toBe(true);
    const began = Math.floor(Date.now() / 1000) * 1000;
    const drive = [-120, -80, -40, 0].map((seconds, leg) => ({
      ...{ ...sample, kind: "BR00", at: began + seconds * 1000, speedTenths: 600 },
      // To where the alarm comes from.
      north: sample.north - (3 - leg) * 4_000,
    }));
    // Only handshakes, logins and BO01 are answered: the answer to a handshake says that what came before it was handled.
    const handshake = bytes(`(${id}BP00HSO)`);
    const handled = (message: Uint8Array) => tracker.send(Uint8Array.of(...message, ...handshake));
    for (const report of drive) expect(await handled(bytes(tk103Text(report)))).toBe(true);
    // A position, and an alarm of the kind that trackers keep: both with the same odd date.
    for (const kind of ["BR00", "BQ811"]) expect([kind, await handled(oddDate(kind))]).toEqual([kind, true]);
    expect(await tracker.send(oddDate("BO012"))).toBe(true);
    tracker.close();

    const headers = { "X-API-Key": await keyOf(store.database, olga.email) };
    const rows = async (path: string) =>
      ((await (await fetch(`${server.url}/v1${path}`, { headers })).json()) as Rows).data;
    const sources = (list: Rows["data"]) => list.map(({ time_source }) => time_source);
    expect(sources(await rows(`/positions/latest?imei=${imei}`))).toEqual(["receipt"]);
    const history = `/positions/history?imei=${imei}&from=${new Date(began - hourMs).toISOString()}`;
    expect(sources(await rows(history))).toEqual([...drive.map(() => "tracker"), "receipt"]);
    expect((await storedFrames(store.database)).length).toBe(drive.length + 1);
    const exported = await runOdograph(["export", "frames", "--format", "ndjson"], store);
    const lines = exported.stdout.trim().split("\n");
    expect(sources(lines.map((line) => JSON.parse(line) as Rows["data"][number]))).toEqual([
      ...[...drive.map(() => "tracker"), "receipt"],
    ]);

    // The day of the alarm, or the one before it, if it was midnight meanwhile.
    const days = new Set([began, Date.now()].map((at) => new Date(at).toISOString().slice(0, 10)));
    const texts = await Promise.all([...days].map((day) => runOdograph(["explain", imei, "--date", day], store)));
    expect(texts.map(({ stdout }) => stdout).join("")).toMatch(
      /Times\n {2}1 frame \(.*\) with the time of the receipt/,
    );
    await server.stop();
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

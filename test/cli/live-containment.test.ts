import { expect, test } from "bun:test";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { keyOf } from "../support/api.ts";
import { circle, type FleetRecord, fleetText, smallFleet } from "../support/fleet.ts";
import { tokenOf } from "../support/ingest-port.ts";
import { sendFrames, startServer } from "../support/ingest-server.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { noReport } from "../support/random-drive.ts";
import { output } from "./outcome.ts";

const { depot, van, truck, olga, ann } = smallFleet;
/** A fast machine asks more than twenty times a second. */
const acme = { ...smallFleet.acme, limits: { per_second: 1_000, per_day: 10_000 } };
const secondMs = 1_000;
const elsewhere = { type: "Point", coordinates: [13.5, 52.5] };

function frame(recordedAt: number, metresNorth = 0, fields: Partial<IncomingFrame> = {}): IncomingFrame {
  const latitude = Math.round((52.5 + metresNorth / 111_195) * 1e7) / 1e7;
  const place = { latitude, longitude: 13.4, speed_kmh: 0, ignition: false };
  return { ...noReport, imei: van.imei, recordedAt, receivedAt: recordedAt, ...place, ...fields };
}

const eventsUntilTomorrow = `/geofence-events?to=${new Date(Date.now() + 86_400_000).toISOString()}`;

interface Shown {
  readonly ids: readonly string[];
  readonly inside: Readonly<Record<string, boolean>>;
  readonly etag: string | null;
}

onOneEngine("where a parked vehicle is when its fences change", (engine) => {
  test("is answered at once, for everybody, without an event, and the next frame finds it so", async () => {
    const store = await engine.fresh();
    const load = (...records: FleetRecord[]) => output(["load", "-"], { env: store.env, input: fleetText(records) });
    await load(...Object.values({ ...smallFleet, acme }));
    const keys = [await keyOf(store.database, olga.email), await keyOf(store.database, ann.email)];
    const token = await tokenOf(store.database);
    const server = await startServer(store);
    try {
      const get = async (path: string, key: string) => {
        const response = await fetch(`${server.url}/v1${path}`, { headers: { "X-API-Key": key } });
        // biome-ignore lint/suspicious/noExplicitAny: the description of the API is held elsewhere
        const body: any = await response.json();
        return { etag: response.headers.get("ETag"), body };
      };
      const shown = async (key: string): Promise<Shown> => {
        const latest = await get(`/positions/latest?device_id=${van.id}`, key);
        const fences = await get(`/devices/${van.id}/geofences`, key);
        const inside = Object.fromEntries(
          fences.body.data.map(({ geofence_id, inside }: { geofence_id: string; inside: boolean }) => [
            geofence_id,
            inside,
          ]),
        );
        return { ids: latest.body.data[0].geofence_ids, inside, etag: latest.etag };
      };
      const eventCount = async () => {
        const events = await get(eventsUntilTomorrow, keys[0] as string);
        return events.body.data.length;
      };

      const begin = Date.now() - 120 * secondMs;
      const parked = [0, 30, 60].map((second) => frame(begin + second * secondMs));
      expect((await sendFrames(server.ingestUrl, token, parked)).body).toMatchObject({ accepted: 3 });
      const atFirst = await Promise.all(keys.map(shown));
      for (const { ids, inside } of atFirst)
        expect({ ids, inside }).toEqual({ ids: [depot.id], inside: { [depot.id]: true } });

      const yard = circle(51, { name: "Yard", device_ids: [van.id] });
      const gate = circle(52, { name: "Gate", device_ids: [van.id] });
      const steps: [string, FleetRecord, Record<string, boolean>][] = [
        ["a fence is moved away", { ...depot, geometry: elsewhere }, { [depot.id]: false }],
        ["it is moved back", depot, { [depot.id]: true }],
        [
          "it is made so small that the vehicle is outside",
          { ...depot, geometry: { type: "Point", coordinates: [13.4006, 52.5] }, radius_m: 20 },
          { [depot.id]: false },
        ],
        ["a fence is loaded", yard, { [depot.id]: false, [yard.id]: true }],
        ["the vehicle is taken from it", { ...yard, device_ids: [truck.id] }, { [depot.id]: false }],
        [
          "the vehicle is assigned again",
          { ...yard, device_ids: [truck.id, van.id] },
          { [depot.id]: false, [yard.id]: true },
        ],
      ];
      steps.push(["another fence is loaded", gate, { [depot.id]: false, [yard.id]: true, [gate.id]: true }]);
      let etags = atFirst.map(({ etag }) => etag);
      for (const [what, record, inside] of steps) {
        await load(record);
        const answers = await Promise.all(keys.map(shown));
        const ids = Object.keys(inside).filter((id) => inside[id]);
        for (const [index, answer] of answers.entries()) {
          expect([what, answer.ids, answer.inside]).toEqual([what, ids, inside]);
          expect([what, answer.etag]).not.toEqual([what, etags[index] ?? null]);
        }
        etags = answers.map(({ etag }) => etag);
      }
      expect(await eventCount()).toBe(0);
      // What is derived again says the same.
      const again = JSON.parse(await output(["rederive", "--json"], store));
      expect(again).toMatchObject({ positions_changed: 0, facts_saved: 0 });
      const { inside } = await shown(keys[0] as string);

      // The next frame changes nothing of it, and a drive out is the first that there is to tell.
      const next = Date.now();
      await sendFrames(server.ingestUrl, token, [frame(next)]);
      expect((await shown(keys[0] as string)).inside).toEqual(inside);
      expect(await eventCount()).toBe(0);
      const drive = [200, 500, 900, 1400].map((metres, index) =>
        frame(next + (index + 1) * 20 * secondMs, metres, { speed_kmh: 60, ignition: true }),
      );
      await sendFrames(server.ingestUrl, token, drive);
      expect((await shown(keys[0] as string)).ids).toEqual([]);
      const events = (await get(eventsUntilTomorrow, keys[0] as string)).body.data;
      const followed = events.map(
        ({ event_type, geofence_id }: Record<string, string>) => `${event_type} ${geofence_id}`,
      );
      expect(followed.toSorted()).toEqual([`exit ${yard.id}`, `exit ${gate.id}`]);
    } finally {
      await server.stop();
    }
  });
});

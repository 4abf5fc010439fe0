import { expect, test } from "bun:test";
import { type ApiUnderTest, keyOf, startApi } from "../support/api.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { smallFleet } from "../support/fleet.ts";
import { lastPlace, straightDrive } from "../support/ingest-drive.ts";
import { carImei, home, loadIngestFleet, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { canonical, type IngestPort, openPort } from "../support/ingest-port.ts";
import { onOneEngine } from "../support/one-engine.ts";

interface Both {
  readonly port: IngestPort;
  readonly api: ApiUnderTest;
  /** What the API answers to the owner. */
  // biome-ignore lint/suspicious/noExplicitAny: the schema has already checked the shape
  show(path: string): Promise<any>;
}

function bothSides(engine: EngineUnderTest): () => Both {
  return engine.shared<Both>(
    async ({ database }) => {
      await loadIngestFleet(database);
      const key = await keyOf(database, smallFleet.olga.email, { perSecond: 20 });
      const [port, api] = [await openPort(database), await startApi(database)];
      const show: Both["show"] = async (path) => {
        for (;;) {
          const { status, body } = await api.get(path, key);
          // The test asks faster than a client may.
          if (status === 200) return body.data;
          if (status !== 429) throw new Error(`${path}: ${JSON.stringify(body)}`);
          await Bun.sleep(100);
        }
      };
      return { port, api, show };
    },
    async ({ port, api }) => {
      await port.close();
      await api.close();
    },
  );
}

/** Lately: some messages bring no time of receipt, and the clock ends a trip that has been silent for an hour. */
const began = Math.floor(Date.now() / 1000) * 1000 - 30 * 60_000;
const iso = (at: number) => new Date(at).toISOString();

onEachEngine("what a sender was answered is stored", (engine) => {
  const sides = bothSides(engine);

  test("is in the API at once: positions, latest, trips, also of frames that came late", async () => {
    const { port, show } = sides();
    const drive = straightDrive({ imei: vanImei, from: home, beginAt: began, minutes: 20, kmh: 50 });
    const frames = drive.map(canonical);
    const window = `imei=${vanImei}&from=${iso(began - 1000)}&to=${iso(began + 3_600_000)}`;
    await port.post("/frames", frames.slice(60));
    expect((await show(`/positions/history?${window}&limit=500`)).length).toBe(frames.length - 60);
    expect(await show(`/trips?${window}`)).toMatchObject([{ started_at: iso(began + 600_000), status: "in_progress" }]);

    await port.post("/frames", frames.slice(0, 60));
    expect((await show(`/positions/history?${window}&limit=500`)).length).toBe(frames.length);
    const [trip, ...others] = await show(`/trips?${window}`);
    expect([trip.started_at, others]).toEqual([iso(began), []]);
    expect(trip.distance_km).toBeCloseTo((20 * 50) / 60, 1);
    const [latest] = await show(`/positions/latest?imei=${vanImei}`);
    expect(latest).toMatchObject({ recorded_at: iso(began + 1_200_000), trip_id: trip.trip_id });
    expect(latest.longitude).toBeCloseTo(lastPlace(drive).longitude, 6);
    const events = await show(`/geofence-events?${window}`);
    expect(events.map(({ event_type }: { event_type: string }) => event_type)).toContain("exit");
    const [day] = await show(`/reports/mileage?${window}`);
    expect(day.trip_count).toBe(1);
  });
});

onOneEngine("a message of Traccar", (engine) => {
  const sides = bothSides(engine);
  const position = (at: number, fields: object = {}, attributes: object = {}) => ({
    device: { id: 7, uniqueId: truckImei, name: "Truck" },
    position: {
      id: 1,
      deviceId: 7,
      protocol: "teltonika",
      deviceTime: iso(at),
      fixTime: iso(at),
      serverTime: iso(at + 500),
      valid: true,
      latitude: 52.51,
      longitude: 13.41,
      altitude: 35,
      speed: 27,
      course: 90,
      accuracy: 5,
      attributes: { ignition: true, sat: 11, ...attributes },
      ...fields,
    },
  });

  test("with a position is shown in the API's units, one without a fix keeps what else it says", async () => {
    const { port, show } = sides();
    const answer = await port.post("/traccar/positions", position(began));
    expect([answer.status, answer.body.accepted]).toEqual([200, 1]);
    await port.post(
      "/traccar/positions",
      position(began + 60_000, { fixTime: iso(began), outdated: true }, { fuelLevel: 40 }),
    );
    const window = `imei=${truckImei}&from=${iso(began - 1)}&to=${iso(began + 120_000)}`;
    const history = await show(`/positions/history?${window}&valid_only=false`);
    expect(history).toMatchObject([
      { recorded_at: iso(began), latitude: 52.51, longitude: 13.41, ignition: true, satellites: 11, valid: true },
      { recorded_at: iso(began + 60_000), latitude: null, valid: false, reject_reason: "no_fix" },
    ]);
    expect(history[0].speed_kmh).toBeCloseTo(50, 1);
    const [fuel] = await show(`/sensors/fuel?${window}`);
    expect(fuel).toMatchObject({ level_percent: 40, recorded_at: iso(began + 60_000) });
    const [latest] = await show(`/positions/latest?imei=${truckImei}`);
    expect(latest.recorded_at).toBe(iso(began));
  });

  test("with an alarm raises it once, though it comes as a position and as an event", async () => {
    const { port, show } = sides();
    const at = began + 300_000;
    const body = position(at, {}, { alarm: "sos" });
    expect((await port.post("/traccar/positions", body)).body.accepted).toBe(1);
    const event = { ...body, event: { id: 3, type: "alarm", eventTime: iso(at), attributes: { alarm: "sos" } } };
    expect((await port.post("/traccar/events", event)).body).toEqual({ accepted: 0, duplicate: 1, refused: [] });
    const alerts = await show(`/alerts?imei=${truckImei}&from=${iso(at - 1)}&to=${iso(at + 1)}`);
    expect(alerts).toMatchObject([{ alert_type: "sos", occurred_at: iso(at), severity: "critical" }]);
  });

  test("that is about something else is 200, and one that is wrong is 400 with the reason", async () => {
    const { port } = sides();
    const online = { event: { id: 4, type: "deviceOnline" }, device: { uniqueId: truckImei } };
    const answer = await port.post("/traccar/events", online);
    expect([answer.status, answer.body]).toEqual([200, { accepted: 0, duplicate: 0, refused: [] }]);
    for (const [body, reason] of [
      [{ ...position(began), device: { uniqueId: "my-phone" } }, "device.uniqueId"],
      [{ ...position(began), device: { uniqueId: "356307042099999" } }, "unknown_device"],
      [position(began, { latitude: "x" }), "position.latitude"],
      [{}, "position"],
      [[], null],
    ] as const) {
      const refused = await port.post("/traccar/positions", body);
      if (reason === null) expect(refused.status).toBe(200);
      else {
        expect([refused.status, refused.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
        expect(refused.body.error.message).toContain(reason);
      }
    }
  });
});

onOneEngine("a message of a phone", (engine) => {
  const sides = bothSides(engine);

  test("by OsmAnd's protocol is taken from the address, from a form and as JSON", async () => {
    const { port, show } = sides();
    const seconds = began / 1000;
    const query = (at: number) => `id=${carImei}&lat=52.52&lon=13.42&timestamp=${at}&speed=10&batt=81&accuracy=6`;
    const headers = { Authorization: `Bearer ${port.token}` };
    const answers = [
      await port.request(`/osmand?${query(seconds)}`, { headers }),
      await port.post("/osmand", query(seconds + 60), { "Content-Type": "application/x-www-form-urlencoded" }),
      await port.request(`/osmand?${query(seconds + 120)}`, { method: "POST", headers }),
      await port.post("/osmand", {
        device_id: carImei,
        location: {
          timestamp: iso(began + 180_000),
          coords: { latitude: 52.52, longitude: 13.42, speed: 5, heading: 10, accuracy: 8, altitude: 30 },
          battery: { level: 0.8, is_charging: false },
        },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const history = await show(`/positions/history?imei=${carImei}&from=${iso(began)}&to=${iso(began + 200_000)}`);
    expect(history.map(({ recorded_at }: { recorded_at: string }) => recorded_at)).toEqual(
      [0, 60, 120, 180].map((after) => iso(began + after * 1000)),
    );
    expect(history[0].speed_kmh).toBeCloseTo(18.52, 2);
    expect([history[0].battery_percent, history[3].speed_kmh]).toEqual([81, 18]);
  });

  test("by OwnTracks is answered with an empty list, whether it holds a position or something else", async () => {
    const { port, show } = sides();
    const at = began + 600_000;
    const location = { _type: "location", tst: at / 1000, lat: 52.53, lon: 13.43, vel: 30, acc: 9, batt: 55 };
    for (const [body, headers] of [
      [location, { "X-Limit-D": carImei }],
      [{ _type: "waypoint", desc: "home" }, { "X-Limit-D": carImei }],
      [{ _type: "lwt", tst: 1 }, {}],
      ["", {}],
    ] as const) {
      const answer = await port.post("/owntracks", body, headers);
      expect([answer.status, answer.body]).toEqual([200, []]);
    }
    const history = await show(`/positions/history?imei=${carImei}&from=${iso(at)}&to=${iso(at + 1)}`);
    expect(history).toMatchObject([{ latitude: 52.53, speed_kmh: 30, accuracy_m: 9, battery_percent: 55 }]);
    const refused = await port.post("/owntracks", { ...location, lat: null }, { "X-Limit-D": carImei });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining("lat")]);
  });

  test("that names two devices is refused, and one of another account is unknown, in whatever way it is named", async () => {
    const { port, show } = sides();
    const at = began + 900_000;
    const foreign = smallFleet.rivalVan.imei;
    const location = { _type: "location", tst: at / 1000, lat: 52.53, lon: 13.43 };
    const place = `lat=52.52&lon=13.42&timestamp=${at / 1000}`;
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const json = (device_id: string) => ({
      device_id,
      location: { timestamp: iso(at), coords: { latitude: 52.52, longitude: 13.42 } },
    });
    const both = expect.stringContaining("expected one device, got ");
    for (const [path, body, headers, message] of [
      ["/owntracks", { ...location, imei: vanImei }, { "X-Limit-D": carImei }, both],
      ["/owntracks", { ...location, imei: vanImei }, { "X-Limit-D": `${carImei}, ${vanImei}` }, both],
      [`/owntracks?d=${carImei}`, { ...location, topic: `owntracks/ana/${vanImei}` }, {}, both],
      [`/owntracks?d=${carImei}`, location, { "X-Limit-D": vanImei }, both],
      [`/osmand?id=${carImei}`, `id=${vanImei}&${place}`, form, both],
      [`/osmand?id=${carImei}`, json(vanImei), {}, both],
      ["/owntracks", location, { "X-Limit-D": foreign }, "unknown_device"],
      ["/owntracks", { ...location, imei: foreign }, {}, "unknown_device"],
      ["/osmand", `id=${foreign}&${place}`, form, "unknown_device"],
      ["/osmand", json(foreign), {}, "unknown_device"],
      [
        "/traccar/positions",
        { position: { fixTime: at, latitude: 1, longitude: 1 }, device: { uniqueId: foreign } },
        {},
        "unknown_device",
      ],
    ] as const) {
      const answer = await port.post(path, body, headers);
      expect([path, answer.status, answer.body.error?.message]).toEqual([path, 400, message]);
    }
    const own = await port.post("/frames", [{ imei: foreign, recorded_at: iso(at), latitude: 1, longitude: 1 }]);
    expect(own.body.refused).toEqual([{ index: 0, reason: "unknown_device" }]);
    for (const imei of [carImei, vanImei]) {
      expect(await show(`/positions/history?imei=${imei}&from=${iso(at)}&to=${iso(at + 1)}`)).toEqual([]);
    }
  });
});

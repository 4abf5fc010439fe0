import { expect, test } from "bun:test";
import { OdographClient, OdographError } from "../../client/src/index.ts";
import { keyOf } from "../support/api.ts";
import { type ApiWorld, startWorld, stopWorld, thatDay } from "../support/api-fleet.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { scaledMs } from "../support/patience.ts";
import { runOdograph } from "../support/program.ts";
import { type ServedWorld, servedWorld } from "./served-world.ts";

interface Place {
  readonly world: ApiWorld;
  readonly server: ServedWorld;
  readonly odograph: OdographClient;
}

async function failure(call: Promise<unknown>): Promise<OdographError> {
  const error = await call.then(
    () => null,
    (cause) => cause,
  );
  if (error instanceof OdographError) return error;
  throw new Error(`expected an OdographError, got ${error}`);
}

const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name).sort();

onOneEngine("the client", (engine) => {
  const place = engine.shared<Place>(
    async (store) => {
      const world = await startWorld(store);
      const server = servedWorld(world);
      return { world, server, odograph: new OdographClient({ url: server.url, key: world.keys.olga }) };
    },
    async ({ world, server }) => {
      await server.stop();
      await stopWorld(world);
    },
  );

  test("says which option is wrong, and which parameter the server has ignored", async () => {
    const { server, world } = place();
    const key = world.keys.olga;
    const made = (options: object) => () => new OdographClient(options as { url: string; key: string });
    expect(made({ baseUrl: server.url, apiKey: key })).toThrow("no option `baseUrl`: it is called `url`");
    expect(made({ url: server.url, key, timeout: 5 })).toThrow("it is called `timeoutS`");
    expect(made({ url: server.url, key, colour: 5 })).toThrow("no option `colour`: there are url, key");
    expect(made({ key })).toThrow("url: expected where the API is");
    expect(made({ url: server.url })).toThrow("key: expected an API key");
    const warnings: string[] = [];
    const odograph = new OdographClient({ url: server.url, key, warn: (message) => warnings.push(message) });
    for (let time = 0; time < 2; time++) await odograph.listTrips({ ...thatDay, device: "Amber van" } as object).all();
    expect(warnings).toEqual(["odograph: /trips has no parameter device: the server has ignored it"]);
    expect(await odograph.getMe()).toMatchObject({ user: { role: "owner" }, account: { name: "Acme" } });
    expect(await odograph.listDrivers({ limit: 2 }).all()).toHaveLength(4);
    expect(await odograph.reportMileageSums({ ...thatDay, group_by: "driver" }).all()).not.toEqual([]);
  });

  test("goes through a list page by page, and asks for a page only when it is needed", async () => {
    const { odograph, server } = place();
    const before = server.requests.length;
    expect(names(await odograph.listDevices({ limit: 2 }).all())).toEqual([
      "Amber van",
      "Birch truck",
      "Cedar car 100%_\\",
      "Dune trailer",
      "Elm spare",
    ]);
    expect(server.requests.length - before).toBe(3);
    for await (const _ of odograph.listDevices({ limit: 2 })) break;
    expect(server.requests.length - before).toBe(4);
    for await (const page of odograph.listTrips({ ...thatDay, limit: 1 }).pages()) {
      expect(page.window).toMatchObject({ from: "2026-06-15T00:00:00.000Z", isClamped: false });
      expect(page.data).toHaveLength(1);
    }
  });

  test("reads every route", async () => {
    const { odograph, world } = place();
    const { id, imei } = world.devices.van;
    const [from, to] = [new Date(thatDay.from), new Date(thatDay.to)];
    expect(await odograph.getDevice(imei)).toMatchObject({ device_id: id, name: "Amber van" });
    const { rules } = await odograph.getDeviceAlertSettings(id);
    expect(rules.filter(({ source }) => source === "set")).toMatchObject([{ alert_type: "speeding" }]);
    expect(names(await odograph.listDeviceGeofences(id))).toEqual(["Depot of the van", "Yard of all"]);
    expect(await odograph.listLatestPositions({ imei }).all()).toMatchObject([{ device_id: id }]);
    expect(await odograph.listPositionHistory({ imei, from, to, valid_only: false }).all()).toHaveLength(4);
    expect(await odograph.listAlerts({ from, to, acknowledged: true, imei }).all()).toMatchObject([
      { alert_type: "sos" },
    ]);
    for await (const reading of odograph.listSensorReadings("fuel", { from, to, imei })) {
      expect(reading.level_percent).toBe(62.5);
    }
    expect(await odograph.listGeofences().all()).toHaveLength(4);
    expect(await odograph.listGeofenceEvents({ from, to, imei }).all()).toHaveLength(2);
    const users = await odograph.listUsers().all();
    const [user] = users;
    expect(await odograph.getUser(user?.user_id ?? "")).toEqual(user as NonNullable<typeof user>);
    const report = await odograph.reportMileage({ imei, from: "2025-01-01", to });
    expect(report).toMatchObject({ data: [{ imei }, { imei }], nextCursor: null, window: { isClamped: true } });
  });

  test("reports an error by its code, and what is left of the limits", async () => {
    const { odograph, world, server } = place();
    expect(await failure(odograph.getUser("nobody"))).toMatchObject({
      name: "OdographError",
      code: "NOT_FOUND",
      status: 404,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const key = await keyOf(world.store.database, "anna@acme.example", { scopes: ["trips:read"], perDay: 7 });
    const narrow = new OdographClient({ url: `${server.url}/`, key });
    expect(narrow.quota).toBeNull();
    expect(await failure(narrow.listAlerts().all())).toMatchObject({
      code: "INSUFFICIENT_SCOPE",
      requiredScopes: ["alerts:read"],
      grantedScopes: ["trips:read"],
    });
    expect(narrow.quota).toMatchObject({ perDay: 7, leftToday: 6 });
    expect(() => new OdographClient({ url: server.url, key: "a key" })).toThrow("key: expected an API key");
    expect(() => new OdographClient({ url: "fleet.example", key })).toThrow();
  });

  test("waits as long as the server says, unless that is too long", async () => {
    const { world, server } = place();
    const limits = { perSecond: 2, perDay: 3 };
    const key = await keyOf(world.store.database, "ben@acme.example", limits);
    const patient = new OdographClient({ url: server.url, key });
    const calls = Array.from({ length: 3 }, () => patient.listUsers().all());
    expect((await Promise.all(calls)).map((rows) => rows.length)).toEqual([1, 1, 1]);
    const begun = performance.now();
    const over = await failure(patient.listUsers().all());
    expect(over).toMatchObject({ code: "RATE_LIMITED", retryAfterS: expect.any(Number) });
    if ((over.retryAfterS ?? 0) > 60) expect(performance.now() - begun).toBeLessThan(scaledMs(5_000));
  });

  test("tries again when a proxy or the network fails, and gives up in the end", async () => {
    const { world } = place();
    const bad = () => new Response("<h1>Bad gateway</h1>", { status: 502 });
    const shaky = servedWorld(world, (count) => (count === 1 ? bad() : null));
    const odograph = new OdographClient({ url: shaky.url, key: world.keys.otto });
    expect(names(await odograph.listDevices().all())).toEqual(["Fjord ferry", "Grove barge"]);
    expect(shaky.requests).toHaveLength(2);
    await shaky.stop();
    const down = servedWorld(world, bad);
    const hasty = new OdographClient({ url: down.url, key: world.keys.otto, retries: 0 });
    expect(await failure(hasty.listDevices().all())).toMatchObject({ code: "UNREADABLE", status: 502 });
    await down.stop();
    await expect(hasty.listDevices().all()).rejects.toThrow();
    const signal = AbortSignal.timeout(20);
    const patient = new OdographClient({ url: down.url, key: world.keys.otto });
    await expect(patient.listDevices({}, { signal }).all()).rejects.toMatchObject({ name: "TimeoutError" });
  });
});

onOneEngine("watching", (engine) => {
  test("gives the live positions when they change; looks that find nothing new cost nothing of the day", async () => {
    const world = await startWorld(await engine.fresh());
    const server = servedWorld(world);
    const odograph = new OdographClient({ url: server.url, key: world.keys.anna });
    const stop = new AbortController();
    const watch = odograph.watchLatestPositions({ limit: 1 }, { intervalS: 0.02, signal: stop.signal });
    const first = (await watch.next()).value ?? [];
    expect(names(first)).toEqual(["Amber van", "Birch truck"]);
    const { leftToday = 0 } = odograph.quota ?? {};

    const next = watch.next();
    const { imei } = world.devices.truck;
    const frame = { type: "frame", imei, recorded_at: new Date().toISOString(), latitude: 52.6, longitude: 13.5 };
    const { env } = world.store;
    expect(await runOdograph(["load", "-"], { env, input: JSON.stringify(frame) })).toMatchObject({ code: 0 });
    const second = (await next).value ?? [];
    expect(second.map((row) => [row.name, row.latitude === 52.6]).sort()).toEqual([
      ["Amber van", false],
      ["Birch truck", true],
    ]);
    expect(server.requests.length).toBeGreaterThan(4);
    // The truck's page alone was new.
    expect(odograph.quota?.leftToday).toBe(leftToday - 1);
    const last = watch.next();
    stop.abort(new Error("seen enough"));
    expect(await last).toEqual({ done: true, value: undefined });
    await server.stop();
    await stopWorld(world);
  });
});

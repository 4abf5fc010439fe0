import { expect, test } from "bun:test";
import fc from "fast-check";
import { routes } from "../../src/api/routes.ts";
import { dayMs, formatInstant } from "../../src/domain/time/time.ts";
import { onEachEngine } from "../support/engines.ts";
import { sharedFleetApi } from "../support/fleet-api.ts";
import { noon } from "../support/seed-rows.ts";

const windowed = routes
  .filter((route) => route.windowed)
  .map((route) => ({ path: route.path.replace("{kind}", "fuel"), days: route.path === "/reports/mileage" ? 366 : 31 }));

/** Around noon of the fleet's day, in steps of a second. */
const hereabouts = fc.integer({ min: -5, max: 5 }).map((second) => noon + second * 1_000);

onEachEngine("a window", (engine) => {
  const given = sharedFleetApi(engine);

  test("is told by every windowed endpoint: the last 24 hours if none is named", async () => {
    const { api, key, fleet } = given();
    const mine = await key();
    expect(windowed.map(({ path }) => path).toSorted()).toEqual(
      ["/alerts", "/geofence-events", "/positions/history", "/reports/mileage", "/sensors/fuel", "/trips"].toSorted(),
    );
    for (const { path, days } of windowed) {
      const device = `device_id=${fleet.van.id}`;
      const before = Date.now();
      const { headers } = await api.get(`${path}?${device}`, mine);
      const toMs = Date.parse(headers.get("X-Window-To") ?? "");
      expect(toMs).toBeWithin(before, Date.now() + 1);
      expect([path, headers.get("X-Window-From"), headers.get("X-Window-Clamped")]).toEqual([
        path,
        formatInstant(toMs - dayMs),
        null,
      ]);
      // Only `to`: a day before it. Only `from`: until now. Too long: shortened at the beginning.
      const until = await api.get(`${path}?${device}&to=2026-06-15T12:00:00Z`, mine);
      expect(until.headers.get("X-Window-From")).toBe("2026-06-14T12:00:00.000Z");
      expect(until.headers.get("X-Window-To")).toBe("2026-06-15T12:00:00.000Z");
      const since = await api.get(`${path}?${device}&from=${new Date(before - 60_000).toISOString()}`, mine);
      expect(since.headers.get("X-Window-From")).toBe(formatInstant(before - 60_000));
      const long = await api.get(`${path}?${device}&from=2020-02-29&to=2026-06-15T12:00:00.001Z`, mine);
      expect([path, long.headers.get("X-Window-Clamped"), long.headers.get("X-Window-To")]).toEqual([
        path,
        "true",
        "2026-06-15T12:00:00.001Z",
      ]);
      expect(long.headers.get("X-Window-From")).toBe(formatInstant(noon + 1 - days * dayMs));
      const longest = `from=${formatInstant(noon - days * dayMs)}&to=${formatInstant(noon)}`;
      expect((await api.get(`${path}?${device}&${longest}`, mine)).headers.get("X-Window-Clamped")).toBeNull();
    }
    // An answer without one has none to tell.
    const { headers } = await api.get("/devices", mine);
    expect([headers.get("X-Window-From"), headers.get("X-Window-To")]).toEqual([null, null]);
  });

  test("may be written in every usual form", async () => {
    const { api, key } = given();
    const mine = await key();
    // All of them: test/domain/time.test.ts.
    const forms: [text: string, instant: string][] = [
      ["2026-06-15", "2026-06-15T00:00:00.000Z"],
      ["2026-06-15%2008:30:01Z", "2026-06-15T08:30:01.000Z"],
      ["2026-06-15T08:30:01%2B02:00", "2026-06-15T06:30:01.000Z"],
      // A client that forgot to encode its plus.
      ["2026-06-15T08:30:01+02:00", "2026-06-15T06:30:01.000Z"],
    ];
    for (const [text, instant] of forms) {
      const from = await api.get(`/alerts?from=${text}&to=2026-06-16`, mine);
      expect([text, from.status, from.headers.get("X-Window-From")]).toEqual([text, 200, instant]);
      const to = await api.get(`/alerts?to=${text}`, mine);
      expect([text, to.status, to.headers.get("X-Window-To")]).toEqual([text, 200, instant]);
    }
  });

  test("that cannot be read, or that is empty, is a wrong request that names it", async () => {
    const { api, key, fleet } = given();
    const mine = await key();
    const unreadable = ["now", "1718452800000", "2026-02-30", "2026-06-15T08:30:01 02:0", "%00", "2026-06-15Z%00", "%"];
    for (const { path } of windowed) {
      for (const [index, text] of unreadable.entries()) {
        const name = index % 2 === 0 ? "from" : "to";
        const { status, body } = await api.get(`${path}?device_id=${fleet.van.id}&${name}=${text}`, mine);
        expect([path, text, status, body.error?.code]).toEqual([path, text, 400, "INVALID_REQUEST"]);
        expect(body.error.message).toContain(`${name}: `);
      }
      for (const empty of [
        "from=2026-06-15&to=2026-06-15",
        "from=2026-06-15T00:00:00.001Z&to=2026-06-15",
        "from=9999-01-01",
        "from=2026-06-15T02:00:00%2B02:00&to=2026-06-15",
      ]) {
        const { status, body } = await api.get(`${path}?device_id=${fleet.van.id}&${empty}`, mine);
        expect([path, empty, status]).toEqual([path, empty, 400]);
        const now = empty.includes("to=") ? "" : ", which is now unless named";
        expect(body.error.message).toBe(`from: expected a time earlier than \`to\`${now}`);
      }
      for (const earliest of ["0000-01-01", "0000-01-01T00:00:00Z"]) {
        const { status, body } = await api.get(`${path}?device_id=${fleet.van.id}&to=${earliest}`, mine);
        expect([status, body.error.message]).toEqual([400, "to: expected a time later than 0000-01-01T00:00:00.000Z"]);
      }
      for (const [query, names] of [
        ["from=x&to=y", ["from", "to"]],
        ["from=&to=", ["from", "to"]],
        ["from=2026-01-01&from=2026-01-02", ["from"]],
      ] as const) {
        const { status, body } = await api.get(`${path}?device_id=${fleet.van.id}&${query}`, mine);
        expect([path, query, status]).toEqual([path, query, 400]);
        for (const name of names) expect(body.error.message).toContain(`${name}: `);
      }
    }
  });

  test("may lie at the ends of time", async () => {
    const { api, key, fleet } = given();
    const keys = [await key(), await key({ email: fleet.anna.email })];
    const extremes = [
      "from=0000-01-01&to=9999-12-31T23:59:59.999Z",
      "from=0000-01-01&to=0000-01-01T00:00:00.001Z",
      "to=0000-01-01T00:00:00.001Z",
      "to=0000-01-02",
      "from=9999-12-31T23:59:59.998Z&to=9999-12-31T23:59:59.999Z",
      "to=9999-12-31T23:59:59.999Z",
      "from=1969-12-31T23:59:59.999Z&to=1970-01-01T00:00:00.001Z",
    ];
    for (const { path } of windowed) {
      for (const window of extremes) {
        for (const mine of keys) {
          const devices = path === "/positions/history" ? [fleet.van.id] : [fleet.van.id, null];
          for (const device of devices) {
            const narrowed = device === null ? "" : `&device_id=${device}`;
            const { status } = await api.get(`${path}?${window}${narrowed}`, mine);
            expect([path, window, status]).toEqual([path, window, 200]);
          }
        }
      }
    }
  });

  test("property: holds what happened from its beginning on and before its end", async () => {
    const { api, key, fleet, database } = given();
    const { seed } = fleet;
    const account = seed.account();
    const owner = seed.user(account, { role: "owner" });
    const user = seed.user(account);
    const [van, truck] = [seed.device(account, { seenBy: [user] }), seed.device(account)];
    const times = [-5, -3, -3, -1, 0, 0, 2, 4].map((second) => noon + second * 1_000);
    const fence = seed.geofence(account);
    for (const device of [van, truck]) {
      for (const at of times) {
        seed.alert(device, { occurred_at: at });
        seed.crossing(device, fence, { occurred_at: at });
        seed.frame(device, { recorded_at: at });
        seed.reading(device, { recorded_at: at, kind: "fuel" });
      }
    }
    await seed.save(database);
    const viewers = [
      { key: await key({ email: owner.email }), devices: 2 },
      { key: await key({ email: user.email }), devices: 1 },
    ];
    await fc.assert(
      fc.asyncProperty(hereabouts, hereabouts, fc.nat(1), async (one, other, which) => {
        const [from, to] = one < other ? [one, other] : [other, one + 1];
        const viewer = viewers[which] ?? { key: "", devices: 0 };
        const expected = times.filter((at) => at >= from && at < to);
        const window = `from=${formatInstant(from)}&to=${formatInstant(to)}`;
        for (const [path, name, devices] of [
          ["/alerts?", "occurred_at", viewer.devices],
          ["/geofence-events?", "occurred_at", viewer.devices],
          ["/sensors/fuel?", "recorded_at", viewer.devices],
          [`/positions/history?device_id=${van.id}&`, "recorded_at", 1],
        ] as const) {
          const { body } = await api.get(path + window, viewer.key);
          const shown = body.data.map((record: Record<string, string>) => Date.parse(record[name] ?? ""));
          const all = expected.flatMap((at) => Array(devices).fill(at));
          expect([path, ...shown]).toEqual([path, ...all]);
        }
      }),
      { numRuns: engine.name === "sqlite" ? 40 : 15 },
    );
  });

  test("holds the trips that overlap it, and the days", async () => {
    const { api, key, fleet, database } = given();
    const { seed } = fleet;
    const account = seed.account();
    const owner = seed.user(account, { role: "owner" });
    const user = seed.user(account);
    const span = (start: number, end: number | null) => {
      const device = seed.device(account, { seenBy: [user] });
      return seed.trip(device, { started_at: noon + start, ended_at: end === null ? null : noon + end }).id;
    };
    const [before, reaching, inside, around, leaving, open] = [
      span(-1_000, 0),
      span(-1_000, 1),
      span(10, 20),
      span(-40 * dayMs, 40 * dayMs),
      span(99, 500),
      span(-3 * dayMs, null),
    ];
    const after = span(100, 200);
    const van = seed.device(account, { seenBy: [user] });
    for (const day of [0, 1, 2, 3]) seed.mileage(van, { day: Math.floor(noon / dayMs) + day });
    await seed.save(database);
    for (const { email } of [owner, user]) {
      const mine = await key({ email });
      const { body } = await api.get(`/trips?from=${formatInstant(noon)}&to=${formatInstant(noon + 100)}`, mine);
      const ids = body.data.map(({ trip_id }: { trip_id: string }) => trip_id);
      expect(ids).toEqual([around, open, reaching, inside, leaving]);
      expect(ids).not.toContain(before);
      expect(ids).not.toContain(after);
      const daysIn = async (query: string) =>
        (await api.get(`/reports/mileage?${query}`, mine)).body.data.map(({ date }: { date: string }) => date);
      expect(await daysIn("from=2026-06-16&to=2026-06-18")).toEqual(["2026-06-16", "2026-06-17"]);
      expect(await daysIn("from=2026-06-15T23:59:59.999Z&to=2026-06-16T00:00:00.001Z")).toEqual([
        "2026-06-15",
        "2026-06-16",
      ]);
    }
  });
});

import { expect, test } from "bun:test";
import fc from "fast-check";
import { routes } from "../../src/api/routes.ts";
import { formatInstant } from "../../src/domain/time/time.ts";
import { onEachEngine } from "../support/engines.ts";
import { sharedFleetApi } from "../support/fleet-api.ts";
import { noon } from "../support/seed-rows.ts";

const windowed = routes.filter((route) => route.windowed).map(({ path }) => path.replace("{kind}", "fuel"));

/** Around noon of the fleet's day, in steps of a second. */
const hereabouts = fc.integer({ min: -5, max: 5 }).map((second) => noon + second * 1_000);

onEachEngine("a window", (engine) => {
  const given = sharedFleetApi(engine);

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
    for (const path of windowed) {
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
});

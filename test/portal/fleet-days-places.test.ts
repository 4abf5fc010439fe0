import { expect, test } from "bun:test";
import { dayMs } from "../../src/domain/time/time.ts";
import { onEachEngine } from "../support/engines.ts";
import { sharedPortal } from "../support/portal.ts";
import { noon } from "../support/seed-rows.ts";

interface Row {
  readonly name: string;
  readonly activity: string;
  readonly place: unknown;
}

const today = Math.floor(noon / dayMs);
const asked = "/fleet-days?from=2026-07-25&to=2026-07-25&tag=place%20test";

onEachEngine("the days of a fleet", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("says where a vehicle stood, or was when it was last heard of, to those who see it", async () => {
    const { seed, accounts, store, signIn } = given();
    const at = noon + 40 * dayMs;
    const position = (device: ReturnType<typeof seed.device>, recorded_at: number, latitude: number) =>
      seed.position(device, { recorded_at, received_at: recorded_at, latitude, longitude: 11 });
    const own = { tags_json: '["place test"]' };
    const left = seed.device(accounts.acme, { name: "Left later", ...own });
    seed.mileage(left, { day: today + 40, distance_mm: 0, trip_count: 0, driving_ms: 0, idle_ms: 0 });
    seed.trip(left, { started_at: at + dayMs, start_latitude_e7: 471_000_000, start_longitude_e7: 110_000_000 });
    seed.trip(left, { started_at: at + 2 * dayMs, start_latitude_e7: 461_000_000, start_longitude_e7: 110_000_000 });
    seed.trip(left, { started_at: at - 2 * dayMs, start_latitude_e7: 451_000_000, start_longitude_e7: 110_000_000 });
    position(left, at + 3 * dayMs, 49);
    const standing = seed.device(accounts.acme, { name: "Stands still", ...own });
    seed.mileage(standing, { day: today + 40, distance_mm: 0, trip_count: 0, driving_ms: 0, idle_ms: 0 });
    position(standing, at, 48);
    const silent = seed.device(accounts.acme, { name: "Silent one", ...own });
    position(silent, at - 5 * dayMs, 50);
    seed.device(accounts.acme, { name: "Never heard", ...own });
    await seed.save(store.database);
    const { data } = (await (await signIn("olga@acme.example")).get(asked)).body;
    const of = Object.fromEntries((data as Row[]).map(({ name, activity, place }) => [name, [activity, place]]));
    expect(of).toEqual({
      "Left later": ["still", { latitude: 47.1, longitude: 11 }],
      "Stands still": ["still", { latitude: 48, longitude: 11 }],
      "Silent one": ["silent", { latitude: 50, longitude: 11 }],
      "Never heard": ["silent", null],
    });
    // Who does not see them learns of no place.
    expect((await (await signIn("otto@polar.example")).get(asked)).body.data).toEqual([]);
    expect((await (await signIn("anna@acme.example")).get(asked)).body.data).toEqual([]);
  });
});

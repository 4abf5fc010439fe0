import { expect, test } from "bun:test";
import { failureOf } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

describeRoute("listSensorReadings", (world) => {
  test("has the volume of a tank as reported, or else by its level if its capacity is known", async () => {
    const { seed, store, devices } = world();
    const big = seed.device(devices.van, { fuel_tank_capacity_l: 400 });
    const unknown = seed.device(devices.van, { fuel_tank_capacity_l: null });
    const at = Date.parse("2026-06-17T12:00:00Z");
    const levels = [
      [big, { level_milli_percent: 12_345, volume_ml: null }, 49.38],
      [big, { level_milli_percent: 50_000, volume_ml: 7_000 }, 7],
      [big, { level_milli_percent: 0, volume_ml: null }, 0],
      [big, { level_milli_percent: 255_000, volume_ml: null }, null],
      [big, { level_milli_percent: null, volume_ml: 7_000 }, 7],
      [unknown, { level_milli_percent: 50_000, volume_ml: null }, null],
    ] as const;
    for (const [index, [device, report]] of levels.entries()) {
      seed.reading(device, { recorded_at: at + index, kind: "fuel", ...report });
    }
    await seed.save(store.database);
    const { body } = await world().get("/sensors/fuel?from=2026-06-17&to=2026-06-18");
    expect(body.data.map(({ volume_l }: { volume_l: number | null }) => volume_l)).toEqual(
      levels.map(([, , volume]) => volume),
    );
  });

  test("knows no other kind, and lists those there are", async () => {
    for (const kind of ["pressure", "Fuel", "fuel%20", "%00", "temperature,fuel"]) {
      expect(failureOf(await world().get(`/sensors/${kind}?from=2026-06-15&to=2026-06-16`))).toEqual({
        status: 404,
        error: {
          code: "NOT_FOUND",
          message: "there is no such kind of sensor; there are fuel, temperature, tyre",
        },
      });
    }
  });

  test("finds a request wrong before it looks for the kind", async () => {
    for (const query of ["limit=0", "from=2026-06-16&to=2026-06-15", "cursor=nonsense"]) {
      expect((await world().get(`/sensors/pressure?${query}`)).status).toBe(400);
    }
  });
});

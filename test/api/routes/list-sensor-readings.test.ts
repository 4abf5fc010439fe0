import { expect, test } from "bun:test";
import type { ReadingRow } from "../../../src/store/frames/readings.ts";
import { seenBy, thatDay } from "../../support/api-fleet.ts";
import { failureOf, iso, sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

/** The tanks hold 62.5 L. */
const own = {
  fuel: { sensor: "tank_1", value: 62.5, unit: "%", level_percent: 62.5, volume_l: 39.063 },
  temperature: { sensor: "cargo", value: 4.5, unit: "°C", temperature_c: 4.5, humidity_percent: 61 },
  tyre: {
    sensor: "axle_1_wheel_2",
    value: 352,
    unit: "kPa",
    axle: 1,
    wheel: 2,
    pressure_kpa: 352,
    temperature_c: null,
  },
};

function record(reading: ReadingRow) {
  return {
    device_id: reading.device_id,
    imei: reading.imei,
    kind: reading.kind,
    recorded_at: iso(reading.recorded_at),
    received_at: "2026-06-15T12:00:01.000Z",
    latitude: 52,
    longitude: 13.3,
    ...own[reading.kind],
  };
}

describeRoute(
  "listSensorReadings",
  () => ({ path: "/sensors/temperature", query: thatDay }),
  (world) => {
    for (const kind of ["fuel", "temperature", "tyre"] as const) {
      test(`lists every ${kind} reading, and no other, in ascending time`, async () => {
        for (const viewer of ["olga", "anna", "ben", "otto"] as const) {
          const expected = sortedBy(
            seenBy(world(), viewer, world().rows.readings).filter((reading) => reading.kind === kind),
            (reading) => reading.recorded_at,
            (reading) => reading.device,
          );
          const { body } = await world().get(`/sensors/${kind}?from=2026-06-15&to=2026-06-16`, viewer);
          expect(body).toEqual({ data: expected.map(record), next_cursor: null });
        }
      });
    }

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

    test("refuses the cursor of another kind", async () => {
      const { body } = await world().get("/sensors/fuel?from=2026-06-15&to=2026-06-16&limit=1");
      const { status, body: refused } = await world().get(`/sensors/tyre?cursor=${body.next_cursor}`);
      expect([status, refused.error.message]).toEqual([400, expect.stringContaining("cursor: expected")]);
    });

    test("reads a window that is half-open", async () => {
      const timesIn = async (window: string) => {
        const { body } = await world().get(`/sensors/fuel?imei=${world().devices.van.imei}&${window}`);
        return body.data.map((reading: { recorded_at: string }) => reading.recorded_at.slice(11, 16));
      };
      expect(await timesIn("from=2026-06-15T12:00Z&to=2026-06-15T12:10Z")).toEqual(["12:00"]);
      expect(await timesIn("from=2026-06-15T12:00:00.001Z&to=2026-06-15T12:10:00.001Z")).toEqual(["12:10"]);
    });
  },
);

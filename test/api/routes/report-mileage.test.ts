import { expect, test } from "bun:test";
import type { MileageRow } from "../../../src/store/facts/mileage.ts";
import { seenBy, thatDay } from "../../support/api-fleet.ts";
import { sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

function record({ device_id, name, plate, day }: MileageRow) {
  return { device_id, name, plate, date: new Date(day * 86_400_000).toISOString().slice(0, 10), time_zone: "UTC" };
}

describeRoute(
  "reportMileage",
  () => ({ path: "/reports/mileage", query: thatDay }),
  (world) => {
    test("reports every device and day, by device and then day, on one page", async () => {
      for (const viewer of ["olga", "anna", "ben", "otto"] as const) {
        const expected = sortedBy(
          seenBy(world(), viewer, world().rows.mileage),
          (row) => row.device_id,
          (row) => row.day,
        );
        const { body } = await world().get("/reports/mileage?from=2026-06-01&to=2026-06-16", viewer);
        expect(body).toMatchObject({ data: expected.map(record), next_cursor: null });
        expect((await world().get("/reports/mileage?from=2026-06-01&to=2026-06-16&limit=1", viewer)).body).toEqual(
          body,
        );
      }
    });

    test("counts a day to the window if it overlaps it", async () => {
      const datesIn = async (window: string) => {
        const { body } = await world().get(`/reports/mileage?imei=${world().devices.van.imei}&${window}`);
        return body.data.map((row: { date: string }) => row.date);
      };
      expect(await datesIn("from=2026-06-14&to=2026-06-15")).toEqual(["2026-06-14"]);
      expect(await datesIn("from=2026-06-14&to=2026-06-15T00:00:00.001Z")).toEqual(["2026-06-14", "2026-06-15"]);
      expect(await datesIn("from=2026-06-14T23:59:59.999Z&to=2026-06-15")).toEqual(["2026-06-14"]);
      expect(await datesIn("from=2026-06-15T10:00Z&to=2026-06-15T10:01Z")).toEqual(["2026-06-15"]);
      expect(await datesIn("from=2026-06-16&to=2026-06-17")).toEqual([]);
    });
  },
);

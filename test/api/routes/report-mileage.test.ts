import { expect, test } from "bun:test";
import { describeRoute } from "../../support/route-suite.ts";

describeRoute("reportMileage", (world) => {
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
});

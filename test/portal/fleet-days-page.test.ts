import { describe, expect, test } from "bun:test";
import type { VehicleDaysRecord } from "../../src/portal/both-sides/contract/fleet-days.ts";
import { fleetDaysAddress, reportPath } from "../../src/portal/both-sides/periods/paths.ts";
import {
  findPath,
  growth,
  momentOrDay,
  nextOrder,
  orderOf,
  withPage,
} from "../../src/portal/page/yesterday/fleet-days.ts";

// biome-ignore lint/suspicious/noExplicitAny: only the ids matter here
const rows = (...ids: string[]): any[] => ids.map((device_id) => ({ device_id }));

describe("the page of yesterday", () => {
  test("leads to a moment on its day of the account's zone, or to the day", () => {
    const at = "2026-06-14T22:30:00.000Z";
    expect(momentOrDay("a", at, "UTC", "2026-01-01")).toBe("/map/a?day=2026-06-14&at=2026-06-14T22%3A30%3A00.000Z");
    expect(momentOrDay("a", at, "Europe/Berlin", "2026-01-01")).toStartWith("/map/a?day=2026-06-15&at=");
    expect(momentOrDay("a", null, "UTC", "2026-01-01")).toBe("/map/a?day=2026-01-01");
  });

  test("has playback find the fastest moment and the longest idling: on the day, or of several on that of the trip", () => {
    const at = "2026-06-14T22:30:00.000Z";
    const trips = { fastest_trip_at: at, most_idle_trip_at: null, first_day_driven: "2026-06-13" };
    const vehicle = { device_id: "a", ...trips } as VehicleDaysRecord;
    const [day, week] = [
      { from: "2026-06-14", to: "2026-06-14" },
      { from: "2026-06-10", to: "2026-06-16" },
    ];
    const otherwise = "&at=2026-06-14T22%3A30%3A00.000Z";
    expect(findPath(vehicle, "speed", "UTC", day)).toBe(`/map/a?day=2026-06-14&find=speed${otherwise}`);
    expect(findPath(vehicle, "speed", "Europe/Berlin", week)).toBe(`/map/a?day=2026-06-15&find=speed${otherwise}`);
    expect(findPath(vehicle, "idling", "UTC", day)).toBe("/map/a?day=2026-06-14&find=idling");
    expect(findPath(vehicle, "idling", "UTC", week)).toBe("/map/a?day=2026-06-13&find=idling");
  });

  test("sorts by what the address says, and by the distance if that is of no use", () => {
    expect(orderOf(null, null)).toEqual({ sort: "distance", isDescending: true });
    expect(orderOf("nothing", "asc")).toEqual({ sort: "distance", isDescending: false });
    expect(orderOf("name", null)).toEqual({ sort: "name", isDescending: false });
    expect(nextOrder(orderOf("name", null), "name")).toEqual({ sort: "name", isDescending: true });
    expect(nextOrder(orderOf("name", null), "idle")).toEqual({ sort: "idle", isDescending: true });
  });

  test("asks for what was chosen", () => {
    const period = { name: "days", from: "2026-06-14", to: "2026-06-15" } as const;
    const address = fleetDaysAddress({ period, tags: ["cold & wet", "north"], vehicles: ["a"] }, { limit: "5" });
    expect(address as string).toBe(
      "GET /fleet-days?from=2026-06-14&to=2026-06-15&limit=5&tag=cold+%26+wet&tag=north&device_id=a",
    );
  });

  test("lists no vehicle twice, though it moved in the order between two pages", () => {
    const first = { data: rows("a", "b"), next_cursor: "x", totals: 1 };
    const { data, next_cursor, totals } = withPage(first, { data: rows("b", "c"), next_cursor: null });
    expect([data, next_cursor as string | null, totals]).toEqual([rows("a", "b", "c"), null, 1]);
  });

  test("compares with the days before, if there is something to compare with", () => {
    expect([growth(112, 100), growth(50, 100), growth(0, 100), growth(5, 0)]).toEqual([12, -50, -100, null]);
  });
});

test("a total leads to the report of the same days and vehicles", () => {
  const period = { name: "yesterday", from: "2026-11-14", to: "2026-11-14" } as const;
  expect(reportPath("trips", { period, tags: [], vehicles: [] })).toBe("/reports/trips?period=yesterday");
  const chosen = { period: { ...period, name: "days" }, tags: ["a", "b c"], vehicles: ["x"] } as const;
  expect(reportPath("mileage", chosen, { sort: "-idle" })).toBe(
    "/reports/mileage?from=2026-11-14&to=2026-11-14&tag=a&tag=b+c&vehicle=x&sort=-idle",
  );
});

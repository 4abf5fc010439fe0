import { describe, expect, test } from "bun:test";
import type { MileageRow, SensorReading } from "../../src/portal/both-sides/contract/data.ts";
import { ListSource, piecesOf } from "../../src/portal/both-sides/reports/row-source.ts";
import { aligned, seriesOf, unitOf, valueNear } from "../../src/portal/both-sides/reports/sensors/readings.ts";
import { sortedRows, sortOf, sortText, toggleSort } from "../../src/portal/both-sides/reports/sorting.ts";
import { mileageDaysOf } from "../../src/portal/both-sides/reports/totals.ts";

const midnight = Date.parse("2026-11-15T00:00:00Z");
const signal = new AbortController().signal;

describe("the rows of a report", () => {
  const pages = [
    [["1", "2"], ["3"]],
    [[], ["4"]],
  ];
  const windows = piecesOf({ from: 0, to: 20 }, 10);

  function source(failures = 0) {
    let left = failures;
    return new ListSource<string, string>({
      windows,
      async read(window, cursor) {
        if (left-- > 0) throw new Error("the line is down");
        const own = pages[windows.indexOf(window)] ?? [];
        const index = Number(cursor ?? 0);
        return { data: own[index] ?? [], next_cursor: index + 1 < own.length ? String(index + 1) : null };
      },
      rowsOf: (items) => items,
      timeOf: null,
    });
  }

  test("come page by page and window by window, and nothing is lost when a read fails", async () => {
    const failing = source(1);
    expect(await failing.next(signal).catch(() => "failed")).toBe("failed");
    const rows: string[] = [];
    while (!failing.isEnd) rows.push(...(await failing.next(signal)));
    expect(rows).toEqual(["1", "2", "3", "4"]);
    expect(failing.share).toBe(1);
    expect(await failing.next(signal)).toEqual([]);
  });

  test("are none if there is nothing to ask for", () => {
    expect(new ListSource<string, string>({ windows: [], read: never, rowsOf: never, timeOf: null }).isEnd).toBe(true);
  });

  test("are read in pieces that the API takes, without a gap", () => {
    expect(piecesOf({ from: 0, to: 25 }, 10)).toEqual([
      { from: 0, to: 10 },
      { from: 10, to: 20 },
      { from: 20, to: 25 },
    ]);
    expect(piecesOf({ from: 5, to: 5 }, 10)).toEqual([]);
  });
});

function never(): never {
  throw new Error("nothing is asked for");
}

describe("the order of a table", () => {
  const defaultSort = { column: "start", isDescending: false };

  test("is read from the address, and what is no column is the default order", () => {
    expect(sortOf("-distance", ["start", "distance"], defaultSort)).toEqual({ column: "distance", isDescending: true });
    for (const text of [null, "", "-", "colour"])
      expect(sortOf(text, ["start", "distance"], defaultSort)).toBe(defaultSort);
    expect(sortText({ column: "distance", isDescending: true }, defaultSort)).toBe("-distance");
    expect(sortText(defaultSort, defaultSort)).toBeNull();
  });

  test("begins with the greatest figure, and turns round when it is pressed again", () => {
    const once = toggleSort(defaultSort, "distance", true);
    expect(once).toEqual({ column: "distance", isDescending: true });
    expect(toggleSort(once, "distance", true)).toEqual({ column: "distance", isDescending: false });
  });

  test("puts unknown values last either way, and leaves equal rows as they were", () => {
    const rows = [
      { id: 1, value: 2 },
      { id: 2, value: null },
      { id: 3, value: 1 },
      { id: 4, value: 2 },
    ];
    const ids = (isDescending: boolean) =>
      sortedRows(
        rows,
        ({ value }) => value,
        isDescending,
        (one, other) => one.localeCompare(other),
      ).map(({ id }) => id);
    expect(ids(false)).toEqual([3, 1, 4, 2]);
    expect(ids(true)).toEqual([1, 4, 3, 2]);
  });
});

describe("the days of a fleet", () => {
  test("add up the vehicles that drove, in order", () => {
    const row = (device_id: string, date: string, distance_km: number, max_speed_kmh: number | null) =>
      ({
        device_id,
        date,
        distance_km,
        carried_km: 2,
        trip_count: 1,
        driving_s: 60,
        idle_s: 5,
        max_speed_kmh,
      }) as MileageRow;
    const rows = [row("a", "2026-11-15", 10, 80), row("a", "2026-11-14", 1, null), row("b", "2026-11-15", 0, 90)];
    expect(mileageDaysOf(rows)).toEqual([
      {
        date: "2026-11-14",
        vehicles: 1,
        distance_km: 1,
        carried_km: 2,
        trip_count: 1,
        driving_s: 60,
        idle_s: 5,
        max_speed_kmh: null,
      },
      {
        date: "2026-11-15",
        vehicles: 1,
        distance_km: 10,
        carried_km: 4,
        trip_count: 2,
        driving_s: 120,
        idle_s: 10,
        max_speed_kmh: 90,
      },
    ]);
  });
});

describe("the readings of sensors", () => {
  const at = (minutes: number) => new Date(midnight + minutes * 60_000).toISOString();
  const fuel = (sensor: string, minutes: number, level_percent: number, volume_l: number | null) =>
    ({ kind: "fuel", sensor, recorded_at: at(minutes), level_percent, volume_l }) as SensorReading;

  test("are in litres only if all of them can be", () => {
    expect(unitOf([fuel("tank_1", 0, 50, 40)])).toBe("litres");
    expect(unitOf([fuel("tank_1", 0, 50, 40), fuel("tank_2", 0, 50, null)])).toBe("percent");
    expect(unitOf([{ kind: "temperature" } as SensorReading])).toBe("celsius");
  });

  test("are a series for each sensor, with its figures", () => {
    const readings = [fuel("b", 0, 50, null), fuel("a", 1, 10, null), fuel("b", 2, 40, null)];
    const series = seriesOf(readings, "percent");
    expect(series.map(({ sensor, values }) => [sensor, values])).toEqual([
      ["a", [10]],
      ["b", [50, 40]],
    ]);
    expect(series[1]).toMatchObject({ least: 40, greatest: 50, mean: 45 });
    expect(seriesOf([fuel("a", 0, 5, null)], "litres")).toEqual([]);
  });

  test("share one axis of time, with a gap where a sensor was silent for long", () => {
    const start = midnight / 1000;
    const series = seriesOf([fuel("a", 0, 1, null), fuel("b", 0, 2, null), fuel("a", 120, 3, null)], "percent");
    expect(aligned(series)).toEqual([
      [start, start + 3600, start + 7200],
      [1, null, 3],
      [2, undefined, undefined],
    ]);
  });
});

test("what a sensor said at a moment is its nearest reading, unless it was silent for an hour", () => {
  const series = { sensor: "s", times: [0, 100, 200, 9000], values: [1, 2, 3, 4], least: 1, greatest: 4, mean: 2.5 };
  const near = [-10, 40, 60, 149, 199, 3700, 3900, 5500, 9000, 12_500, 13_000].map((at) => valueNear(series, at));
  expect(near).toEqual([1, 1, 2, 2, 3, 3, null, 4, 4, 4, null]);
  expect(valueNear({ ...series, times: [], values: [] }, 0)).toBeNull();
});

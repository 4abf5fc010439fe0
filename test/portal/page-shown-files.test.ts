import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Show, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import { cellText } from "../../src/portal/both-sides/reports/cells.ts";
import { ColumnWriter } from "../../src/portal/both-sides/reports/columns.ts";
import {
  durationCell,
  type FileFigure,
  measureCell,
  timeCell,
} from "../../src/portal/both-sides/reports/files/file-cells.ts";
import { shownTable } from "../../src/portal/both-sides/reports/files/shown-table.ts";
import { sumOfKnown } from "../../src/portal/both-sides/reports/totals.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import { spreadsheetOf } from "../../src/portal/page/reports/files/spreadsheet.ts";
import { forAll } from "../support/for-all.ts";
import { frozenRows, readSheet } from "../support/spreadsheet.ts";

const zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati", "America/Sao_Paulo"];
const dayMs = 86_400_000;
const instant = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2060, 0) });

function showIn(zone: string, distance: "km" | "mi" = "km"): Show {
  return new Show("en", en, { ...usualUnits, distance }, zone);
}

describe("a figure in a file", () => {
  test("is what the screen says: times of the zone, durations in minutes, distances in the unit", () => {
    forAll(500, [instant, fc.constantFrom(...zones), fc.nat(400_000), fc.nat(5_000_000)], (at, zone, s, m) => {
      const show = showIn(zone, "mi");
      const onClock = Math.round((timeCell(at, "minute", show).value - 25_569) * dayMs);
      expect(showIn("UTC").time(onClock, "second")).toBe(show.time(at, "second"));
      const minutes = Math.round(durationCell(s).value * 1440);
      expect(show.duration(minutes * 60)).toBe(show.duration(s));
      const { value, format } = measureCell(show.distanceIn(m / 1000));
      expect(`${show.number(value, format.endsWith(".0") ? 1 : 0)} mi`).toBe(show.distance(m / 1000));
    });
  });
});

describe("a table in a file", () => {
  const columns = [
    { title: "Who", file: ({ name }: Row) => name },
    {
      title: "Way",
      unit: "km",
      file: ({ km }: Row) => measureCell(km),
      fileTotal: (rows: readonly Row[]) => total(rows),
    },
    { title: "Where", file: () => ({ place: { latitude: 1, longitude: 2 } }) },
  ];
  interface Row {
    readonly name: string;
    readonly km: number;
  }
  const total = (rows: readonly Row[]): FileFigure => measureCell(rows.reduce((sum, { km }) => sum + km, 0));

  test("has heads with units, places by name, totals, and texts that nobody runs", async () => {
    const rows = ["=1+1", "+1", "-1", "@x", "\tA", "<&>"].map((name, km) => ({ name, km }));
    const table = await shownTable(columns, rows, { label: "Total", summed: rows }, () => "Depot");
    const name = "A/B: a name that is far too long for a sheet";
    const blob = await spreadsheetOf(name, ["16 Nov – 22 Nov", "=All"], table);
    const bytes = await blob.bytes();
    const [title, days, about, empty = [], heads, ...read] = readSheet(bytes);
    expect([title, days, about, empty]).toEqual([[name], ["16 Nov – 22 Nov"], ["=All"], []]);
    // The heads and what is above them stay in sight.
    expect(frozenRows(bytes)).toBe(5);
    expect(heads).toEqual(["Who", "Way (km)", "Where"]);
    expect(read.slice(0, -1)).toEqual(rows.map(({ name, km }) => [name, { value: km, format: "#,##0.0" }, "Depot"]));
    expect(read.at(-1)).toEqual(["Total", { value: 15, format: "#,##0.0" }, ""]);
  });

  test("has no totals where no column has one", async () => {
    const [first] = columns;
    const table = await shownTable(first ? [first] : [], [], { label: "Total", summed: [] }, () => "");
    expect(table).toEqual({ heads: ["Who"], rows: [], totals: null });
  });
});

test("what a vehicle was carried stands beside the distance, and in a file in a column of its own", async () => {
  const show = new Show("en", en, usualUnits, "UTC");
  const write = new ColumnWriter<{ distance_km: number; carried_km: number | null }>(en as never, show, {} as never);
  const column = write.way("distance", "Distance", (row) => row, sumOfKnown);
  const rows = [
    { distance_km: 5, carried_km: null },
    { distance_km: 3, carried_km: 2 },
    { distance_km: 0, carried_km: 60 },
  ];
  const carried = (km: number) => en.reports.carried(show.distance(km));
  const texts = await Promise.all(rows.map((row) => cellText(column.cell(row), show, async () => "")));
  expect(texts).toEqual([show.distance(5), `${show.distance(3)} ${carried(2)}`, `${show.distance(0)} ${carried(60)}`]);
  expect(column.total?.(rows)).toBe(`${show.distance(8)}\n(${carried(62)})`);
  const figure = (value: number) => ({ value, format: "#,##0.0" });
  expect(await shownTable([column], rows, { label: "Total", summed: rows }, () => "")).toEqual({
    heads: ["Distance (km)", `${en.reports.carriedDistance} (km)`],
    rows: [
      [figure(5), ""],
      [figure(3), figure(2)],
      [figure(0), figure(60)],
    ],
    totals: ["Total", figure(62)],
  });
});

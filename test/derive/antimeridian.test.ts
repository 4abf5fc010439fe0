import { expect, test } from "bun:test";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { type DerivedTables, derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { circle, type FleetRecord, load, uuid } from "../support/fleet.ts";
import { devices, imeis, newYear, people } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomDrive } from "../support/random-drive.ts";

const seed = announcedSeed("the antimeridian");

/** Both are sums of powers of two, so that moving a longitude from one to the other loses no digit of it. */
const inland = 13.5;
const shift = 180 - inland;
const latitude = 52.5;
const finest = 2 ** -22;
const countOfEach = 200;

function shifted(longitude: number): number {
  const there = longitude + shift;
  return there >= 180 ? there - 360 : there;
}

function fencesAt(place: (longitude: number) => number): FleetRecord[] {
  const at = (east: number, north: number) => [place(inland + east), latitude + north];
  const device_ids = [uuid(21), uuid(22), uuid(23)];
  const ring = [at(-0.03125, -0.03125), at(0.03125, -0.03125), at(0.03125, 0.03125), at(-0.03125, 0.03125)];
  const shapes = [
    { shape: "circle", geometry: { type: "Point", coordinates: at(0, 0) }, radius_m: 1500 },
    { shape: "polygon", geometry: { type: "Polygon", coordinates: [[...ring, ring[0]]] }, radius_m: null },
    {
      shape: "corridor",
      geometry: { type: "LineString", coordinates: [at(-0.125, 0.0625), at(0, 0), at(0.125, 0.03125)] },
      radius_m: null,
      width_m: 400,
    },
  ];
  return shapes.map((shape, index) => ({ ...circle(41 + index), ...shape, device_ids }));
}

/**
 * Without leaps across the world, which would shift to another place than they should, and without two frames of one
 * moment: their order hangs on their content.
 */
function drives(): IncomingFrame[] {
  return imeis.flatMap((imei, index) => {
    const frames = randomDrive({
      imei,
      seed: seed + index,
      count: countOfEach,
      beginAt: newYear,
      latitude,
      longitude: inland,
      leaps: false,
    });
    const single = frames.filter(({ recordedAt }, place) => recordedAt !== frames[place - 1]?.recordedAt);
    return single.map((frame) => ({
      ...frame,
      longitude: frame.longitude === null ? null : Math.round(frame.longitude / finest) * finest,
    }));
  });
}

/** What holds a longitude, and what is measured, which an angle of nearly 360 degrees may change in its last digit. */
const longitudes = /longitude|fields_json|packed|digest/;
const measured = /distance_mm$/;

type Row = DerivedTables["trips"][number];

function withColumns(row: Row, isWanted: (column: string) => boolean): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => isWanted(column)));
}

function comparable(tables: DerivedTables): unknown {
  const isSame = (column: string) => !longitudes.test(column) && !measured.test(column);
  return Object.entries(tables).map(([table, rows]) => [table, rows.map((row) => withColumns(row, isSame))]);
}

function millimetresIn(tables: DerivedTables): number[] {
  const rows = Object.values(tables).flat();
  return rows.flatMap((row) => Object.values(withColumns(row, (column) => measured.test(column))).map(Number));
}

onEachEngine("the antimeridian", (engine) => {
  test("is a line like any other: drives across it tell the same as elsewhere", async () => {
    const [here, there] = [await engine.fresh(), await engine.fresh()];
    await load(here.database, [...people, ...devices, ...fencesAt((longitude) => longitude)]);
    await load(there.database, [...people, ...devices, ...fencesAt(shifted)]);
    const frames = drives();
    const away = frames.map((frame) => ({
      ...frame,
      longitude: frame.longitude === null ? null : shifted(frame.longitude),
    }));
    expect(new Set(away.map(({ longitude }) => Math.sign(longitude ?? 0))).size).toBeGreaterThan(1);
    await take(here.database, [frames]);
    await take(there.database, [away]);
    const [one, other] = [await derivedTables(here.database), await derivedTables(there.database)];
    expect(one.trips.length).toBeGreaterThan(0);
    expect(comparable(other)).toEqual(comparable(one));
    const millimetres = millimetresIn(other);
    const off = millimetresIn(one).map((here, index) => Math.abs((millimetres[index] ?? Number.NaN) - here));
    expect(off.filter((mm) => !(mm < 1000))).toEqual([]);
    for (const [index, trip] of one.trips.entries()) {
      const start = shifted(Number(trip.start_longitude_e7) / 1e7);
      expect(Number(other.trips[index]?.start_longitude_e7) / 1e7).toBeCloseTo(start, 6);
    }
  });
});

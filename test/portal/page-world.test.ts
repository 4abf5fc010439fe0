import { describe, expect, test } from "bun:test";
import type { MultiLineString, MultiPolygon, Position } from "geojson";
import { unpackWorld, type WorldMap } from "../../src/portal/both-sides/packed-world.ts";
import { portalFiles } from "../../src/portal/bundle.ts";
import { unbrokenLand } from "../../src/portal/world/world-map.ts";

/** As the browser gets it. */
const { assets } = await portalFiles();
const file = [...assets.values()].find(({ name }) => name.startsWith("countries-50m"));
const world: WorldMap = unpackWorld(JSON.parse(new TextDecoder().decode(file?.body.bytes)));
const land = geometryOf("land") as MultiPolygon;
const borders = geometryOf("border") as MultiLineString;

function geometryOf(kind: string): unknown {
  return world.features.find(({ properties }) => properties.kind === kind)?.geometry;
}

type NamedPlace = readonly [name: string, longitude: number, latitude: number];

const seas: readonly NamedPlace[] = [
  ["North Sea", 3, 56],
  ["Baltic", 19, 57],
  ["Bay of Biscay", -4, 45],
  ["Black Sea", 34, 43],
  ["Caspian Sea", 51, 42],
  ["Mediterranean", 5, 40],
  ["Norwegian Sea", -5, 70],
  ["North Atlantic", -40, 50],
  ["Hudson Bay", -86, 60],
  ["Barents Sea", 40, 72.5],
  ["Kara Sea", 75, 75],
  ["Bering Sea", -179, 60],
  ["Pacific at the antimeridian", 180, 30],
  ["Pacific by Fiji", -179.5, -19],
  ["Southern Ocean", 100, -60],
];

const countries: readonly NamedPlace[] = [
  ["north of Spain", -4, 42.5],
  ["west of France", 0.5, 46],
  ["Berlin", 13.4, 52.5],
  ["Moscow", 37.6, 55.8],
  ["Siberia", 100, 65],
  ["Chukotka, west", 178, 67],
  ["Chukotka, at the antimeridian", 180, 67],
  ["Chukotka, east", -175, 67],
  ["Wrangel Island, west", 179.5, 71.2],
  ["Wrangel Island, east", -179.5, 71.2],
  ["Vanua Levu", 179.3, -16.6],
  ["Greenland", -40, 72],
  ["New York State", -75, 42],
  ["Antarctica", 0, -80],
  ["Antarctica, at the antimeridian", 180, -86],
  ["the South Pole", 60, -89.9995],
];

describe("the land of the world", () => {
  for (const [name, longitude, latitude] of seas) {
    test(`does not cover: ${name}`, () => expect(isLand(longitude, latitude)).toBe(false));
  }
  for (const [name, longitude, latitude] of countries) {
    test(`holds: ${name}`, () => expect(isLand(longitude, latitude)).toBe(true));
  }

  test("has no edge across the world but along the pole, and closed rings near the middle copy", () => {
    const rings = land.coordinates.flat();
    const long = rings.flatMap(steps).filter(([from, to]) => Math.abs(from[0] - to[0]) > 10);
    expect(long.map(([from, to]) => [from[1], to[1]])).toEqual([[-90, -90]]);
    expect(rings.filter((ring) => String(ring[0]) !== String(ring.at(-1)))).toEqual([]);
    const longitudes = rings.flat().map(([longitude = 0]) => longitude);
    expect(longitudes.filter((longitude) => Math.abs(longitude) > 270)).toEqual([]);
  });

  test("is cut by no border at the antimeridian", () => {
    const long = borders.coordinates.flatMap(steps).filter(([from, to]) => Math.abs(from[0] - to[0]) > 180);
    expect(long).toEqual([]);
  });
});

test("a hole beyond the antimeridian goes with its land", () => {
  const box = (west: number, east: number, south: number, north: number): Position[] =>
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ].map(([longitude = 0, latitude = 0]) => [longitude > 180 ? longitude - 360 : longitude, latitude]);
  const split = { type: "MultiPolygon" as const, coordinates: [[box(100, 200, 0, 50), box(190, 195, 10, 20)]] };
  expect(longitudesOf(unbrokenLand(split).coordinates[0])).toEqual([
    [100, 200],
    [190, 195],
  ]);
});

function longitudesOf(rings: Position[][] = []): [number, number][] {
  return rings.map((ring) => {
    const longitudes = ring.map(([longitude = 0]) => longitude);
    return [Math.min(...longitudes), Math.max(...longitudes)];
  });
}

function steps(line: Position[]): [[number, number], [number, number]][] {
  return line.slice(1).map((to, index) => {
    const from = line[index] ?? [];
    return [
      [from[0] ?? 0, from[1] ?? 0],
      [to[0] ?? 0, to[1] ?? 0],
    ];
  });
}

/** In any copy of the world, as the map draws it. */
function isLand(longitude: number, latitude: number): boolean {
  return land.coordinates.some((polygon) =>
    [-360, 0, 360].some((shift) => polygon.filter((ring) => isInside(ring, longitude + shift, latitude)).length === 1),
  );
}

function isInside(ring: Position[], longitude: number, latitude: number): boolean {
  const crossed = steps(ring).filter(([[x1, y1], [x2, y2]]) => {
    if (y1 > latitude === y2 > latitude) return false;
    return longitude < x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1);
  });
  return crossed.length % 2 === 1;
}

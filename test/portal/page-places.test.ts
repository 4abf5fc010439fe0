import { describe, expect, test } from "bun:test";
import { boundingBox } from "../../src/domain/geometry/bounding-box.ts";
import { prepareFence, signedDistanceMetres } from "../../src/domain/geometry/fence-area.ts";
import type { FenceShape } from "../../src/domain/geometry/fence-shape.ts";
import type { Geofence } from "../../src/portal/both-sides/contract/data.ts";
import { fenceFinder } from "../../src/portal/both-sides/places/nearest-fence.ts";
import { placeName } from "../../src/portal/both-sides/places/place-name.ts";
import { Show, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import { randomNumbers } from "../support/random-drive.ts";

const unused = { description: null, color: null, created_at: "", updated_at: "" };

function fenceOf(name: string, shape: FenceShape): Geofence {
  const { radiusM: radius_m, widthM: width_m, geometry } = shape;
  const fields = { geofence_id: name, name, radius_m, width_m, bbox: [...boundingBox(shape)] };
  return { ...unused, ...fields, shape: shape.shape, geometry: geometry as unknown as Geofence["geometry"] };
}

function circle(longitude: number, latitude: number, radiusM: number): FenceShape {
  return { shape: "circle", geometry: { type: "Point", coordinates: [longitude, latitude] }, radiusM, widthM: null };
}

function square(west: number, south: number, degrees: number): FenceShape {
  const [east, north] = [west + degrees, south + degrees];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as [number, number][];
  return { shape: "polygon", geometry: { type: "Polygon", coordinates: [ring] }, radiusM: null, widthM: null };
}

function corridor(widthM: number, ...coordinates: [number, number][]): FenceShape {
  return { shape: "corridor", geometry: { type: "LineString", coordinates }, radiusM: null, widthM };
}

const depot = fenceOf("North depot", circle(10, 53.5, 300));
const port = fenceOf("Port", square(9.9, 53.45, 0.2));
const motorway = fenceOf("A24", corridor(200, [10.5, 53.5], [12, 53.5]));

describe("the name of a place", () => {
  const { find, show } = { find: fenceFinder([depot, port, motorway]), show: new Show("en", en, usualUnits, "UTC") };
  const name = (longitude: number, latitude: number) => placeName({ latitude, longitude }, find, show, en);

  test("is the fence around it, the smallest if there are several", () => {
    expect(name(10, 53.5)).toBe("North depot");
    expect(name(9.95, 53.5)).toBe("Port");
    expect(name(11, 53.5005)).toBe("A24");
  });

  test("or else how far the edge of the nearest is, up to 20 km", () => {
    expect(name(11, 53.5064)).toBe("600 m from A24");
    expect(name(10, 53.6776)).toBe("3.1 km from Port");
    expect(name(10, 53.9)).toBeNull();
  });

  test("is in miles and feet for a person who chose these", () => {
    const inMiles = new Show("en", en, { ...usualUnits, distance: "mi" }, "UTC");
    const words = (latitude: number) => placeName({ latitude, longitude: 10 }, find, inMiles, en);
    expect([words(53.6528), words(53.6776)]).toEqual(["1,000 ft from Port", "1.9 mi from Port"]);
  });

  test("is found across the antimeridian", () => {
    const island = fenceFinder([
      fenceOf("Island", circle(179.99, -17, 1000)),
      fenceOf("Reef", square(179.9, -16, 0.05)),
    ]);
    expect(placeName({ latitude: -17, longitude: -179.99 }, island, show, en)).toBe("1.1 km from Island");
    expect(placeName({ latitude: -16.9, longitude: -179.95 }, island, show, en)).toStartWith("11.");
  });

  test("is none without fences", () => {
    expect(placeName({ latitude: 53, longitude: 10 }, fenceFinder([]), show, en)).toBeNull();
  });
});

/** The same as the finder says, by measuring all. */
function nearestOfAll(fences: readonly (readonly [Geofence, FenceShape])[], latitude: number, longitude: number) {
  const distances = fences.map(([, shape]) => signedDistanceMetres(prepareFence(shape), { latitude, longitude }));
  const least = Math.min(...distances);
  return least > 20_000 ? null : Math.max(0, least);
}

test("the nearest of many fences is the one that measuring all of them finds", () => {
  const seed = Number(process.env.ODOGRAPH_SEED ?? 17);
  const random = randomNumbers(seed);
  const fences = Array.from({ length: 120 }, (_, index) => {
    const [longitude, latitude] = [178 + random() * 3.9, 50 + random() * 3];
    const at = longitude > 180 ? longitude - 360 : longitude;
    const shapes = [
      () => circle(at, latitude, 30 + random() * 4000),
      () => square(Math.min(at, 179.9), latitude, 0.01 + random() * 0.05),
      () => corridor(50, [Math.min(at, 179), latitude], [Math.min(at, 179) + random(), latitude + random()]),
    ];
    const shape = (shapes[index % 3] as () => FenceShape)();
    return [fenceOf(String(index), shape), shape] as const;
  });
  const find = fenceFinder(fences.map(([fence]) => fence));
  for (let round = 0; round < 400; round++) {
    const longitude = 177.5 + random() * 5;
    const place = { latitude: 49.7 + random() * 3.6, longitude: longitude > 180 ? longitude - 360 : longitude };
    const expected = nearestOfAll(fences, place.latitude, place.longitude);
    const found = find(place);
    expect({ seed, place, isFound: found !== null }).toEqual({ seed, place, isFound: expected !== null });
    if (found && expected !== null) expect(found.metres).toBeCloseTo(expected, 3);
  }
});

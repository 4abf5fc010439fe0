import type { Place } from "../../domain/geometry/distance.ts";
import { mixed } from "../random.ts";
import type { Settlement } from "./settlements.ts";
import type { MapFeature } from "./slice-tiles.ts";

/** An uneven grid. No vehicle drives on it; without it a town would be a crossing in a field. */
export function sideStreets(settlements: readonly Settlement[]): MapFeature[] {
  const crossings = crossingsIn(settlements);
  return [...linesAlong(crossings, 1, 0), ...linesAlong(crossings, 0, 1)];
}

const blockMetres = 240;
/** The grid begins here, south-west of all towns. */
const origin = { latitude: 51, longitude: 11 };
const metresPerLatitude = 111_195;
const metresPerLongitude = metresPerLatitude * Math.cos((52.4 * Math.PI) / 180);
/** Numbers of columns and rows are below this. */
const gridSize = 4_096;

type Crossings = ReadonlyMap<number, Place>;

const keyOf = (column: number, row: number) => column * gridSize + row;

/** Where side streets cross: the points of the grid on built-up land. */
function crossingsIn(settlements: readonly Settlement[]): Crossings {
  const found = new Map<number, Place>();
  for (const { place, radiusMetres } of settlements) {
    const column = ((place.longitude - origin.longitude) * metresPerLongitude) / blockMetres;
    const row = ((place.latitude - origin.latitude) * metresPerLatitude) / blockMetres;
    const reach = (0.88 * radiusMetres) / blockMetres;
    for (let x = Math.ceil(column - reach); x <= column + reach; x++) {
      for (let y = Math.ceil(row - reach); y <= row + reach; y++) {
        if (Math.hypot(x - column, y - row) <= reach) found.set(keyOf(x, y), crossingAt(x, y));
      }
    }
  }
  return found;
}

/** Streets bend slowly over the town, and a little from block to block. */
function crossingAt(column: number, row: number): Place {
  const bend = (one: number, other: number) => 1.1 * Math.sin(one / 7.3) + 0.8 * Math.sin(other / 4.1 + one / 11);
  const jitter = (which: number) => (mixed(column, row, which) / 2 ** 32 - 0.5) * 0.3;
  const east = (column + bend(row, column) + jitter(1)) * blockMetres;
  const north = (row + bend(column, row) + jitter(2)) * blockMetres;
  return {
    longitude: origin.longitude + east / metresPerLongitude,
    latitude: origin.latitude + north / metresPerLatitude,
  };
}

/** One block in so many has no street on that side. */
const gapEvery = 7;
/** A street has one name up to a gap, and no longer than this. */
const maxBlocks = 9;

function linesAlong(crossings: Crossings, stepX: 0 | 1, stepY: 0 | 1): MapFeature[] {
  const step = keyOf(stepX, stepY);
  const continues = (key: number) => crossings.has(key + step) && mixed(key, step) % gapEvery !== 0;
  const lines: MapFeature[] = [];
  for (const start of crossings.keys()) {
    // Each line is made where it begins.
    if (crossings.has(start - step) && continues(start - step)) continue;
    let line: number[][] = [];
    for (let key = start; ; key += step) {
      const { longitude, latitude } = crossings.get(key) as Place;
      line.push([longitude, latitude]);
      const goesOn = continues(key);
      if (line.length > 1 && (!goesOn || line.length > maxBlocks)) {
        lines.push(street(line, mixed(key, step, 7)));
        line = [[longitude, latitude]];
      }
      if (!goesOn) break;
    }
  }
  return lines;
}

const firstParts =
  "Linden Garten Wald Berg Schul Kirch Mühlen Wiesen Feld Rosen Birken Ahorn Eichen Buchen Park Brunnen Markt Hafen Post " +
  "Sonnen Tal Ufer Weiden Flieder Tulpen Amsel Falken Kastanien Ulmen Hasel";
const lastParts = "straße weg allee gasse";
const [starts, ends] = [firstParts.split(" "), lastParts.split(" ")];

function street(coordinates: number[][], chance: number): MapFeature {
  const name = `${starts[chance % starts.length]}${ends[(chance >>> 8) % ends.length]}`;
  const properties = { kind: "minor_road", kind_detail: "residential", name, min_zoom: 11 };
  return { type: "Feature", properties, geometry: { type: "LineString", coordinates } };
}

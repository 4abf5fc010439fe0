import { metresPerDegree, radiansPerDegree } from "../../domain/geometry/bounding-box.ts";
import { metresBetween, type Place } from "../../domain/geometry/distance.ts";
import { type CompassPoint, compassPoints, type NearTown } from "../both-sides/places/near-town.ts";
import { type PackedTown, type TownFile, townFile } from "./town-file.ts";

/** Farther away, such as on the open sea, no town says where a place is. */
const reachMetres = 200_000;

/** A usual density of towns: what a population takes up, if it lived in a circle. */
const peopleOnSquareKm = 3_000;
/** A place nearer than this to the middle of a town is in it, however small the town. */
const leastInsideMetres = 1_500;
/** In a large town, a place farther from its middle than this says where. */
const mostInsideMetres = 3_000;
/** Tōkyō reaches this far. */
const widestTownMetres = 35_000;

/** How far a town reaches from its middle, as far as its people say. */
function townRadius(people: number): number {
  return Math.min(widestTownMetres, 1000 * Math.sqrt(people / peopleOnSquareKm / Math.PI));
}

/** The town that a place is in, or the nearest one. */
export function nearestTown(towns: TownFile, place: Place): NearTown | null {
  const found = nearest(towns, place);
  if (found === null) return null;
  const { town, metres } = found;
  const name = towns.nameOf(town);
  const inside = Math.max(leastInsideMetres, Math.min(mostInsideMetres, townRadius(town.people)));
  return {
    name,
    part_of: partOf(towns, place, town, name),
    distance_m: Math.round(metres),
    is_inside: metres <= inside,
    direction: directionFrom(town, place),
  };
}

/** The large town that a place in a part of it is in. */
function partOf(towns: TownFile, place: Place, { people, isPart }: PackedTown, name: string): string | null {
  // One that is in the newer list only, and well within a large town, is a part that nobody has marked yet.
  if (!isPart && people > 0) return null;
  const around = largestAround(towns, place, people, isPart ? 1 : 0.5);
  const town = around && towns.nameOf(around);
  // Some parts have the name of the town in their own: "Berlin Köpenick".
  return town === null || name.includes(town) ? null : town;
}

function largestAround(towns: TownFile, place: Place, people: number, share: number): PackedTown | null {
  const margin = widestTownMetres / metresPerDegree;
  const { latitude, longitude } = place;
  const eastMargin = margin / Math.max(0.1, Math.cos(latitude * radiansPerDegree));
  let largest: PackedTown | null = null;
  for (const town of towns.inBox([
    longitude - eastMargin,
    latitude - margin,
    longitude + eastMargin,
    latitude + margin,
  ])) {
    if (town.isPart || town.people <= Math.max(people, largest?.people ?? 0)) continue;
    if (metresBetween(town, place) <= townRadius(town.people) * share) largest = town;
  }
  return largest;
}

interface FoundTown {
  readonly town: PackedTown;
  readonly metres: number;
}

/** Looks from the cell of the place outward, as long as a cell may have a nearer town. */
function nearest(towns: TownFile, place: Place): FoundTown | null {
  const { cellDegrees } = townFile;
  const [north, east] = [(place.latitude + 90) / cellDegrees, (place.longitude + 180) / cellDegrees];
  const [row, column] = [Math.floor(north), Math.floor(east)];
  const cellMetres = cellDegrees * metresPerDegree;
  const found: FoundTown[] = [];
  let limit = reachMetres;
  const lookIn = (eachRow: number, metresToRow: number) => {
    // Where columns are narrowest within the row, so that none is missed.
    const farthest = Math.max(Math.abs(eachRow * cellDegrees - 90), Math.abs((eachRow + 1) * cellDegrees - 90));
    const width = cellMetres * Math.max(0.02, Math.cos(farthest * radiansPerDegree));
    for (let step = 0; step <= 360; step++) {
      const isEastNear = Math.hypot(metresToRow, step === 0 ? 0 : (column + step - east) * width) <= limit;
      const isWestNear = step > 0 && Math.hypot(metresToRow, (east - (column - step + 1)) * width) <= limit;
      if (!isEastNear && !isWestNear) return;
      for (const eachColumn of step === 0 ? [column] : [column + step, column - step]) {
        for (const town of towns.inCell(eachRow, eachColumn)) {
          const metres = metresBetween(town, place);
          if (metres > limit) continue;
          found.push({ town, metres });
          limit = metres;
        }
      }
    }
  };
  lookIn(row, 0);
  for (let step = 1; ; step++) {
    const [above, below] = [(row + step - north) * cellMetres, (north - (row - step + 1)) * cellMetres];
    if (above > limit && below > limit) break;
    if (above <= limit) lookIn(row + step, above);
    if (below <= limit) lookIn(row - step, below);
  }
  return found.at(-1) ?? null;
}

/** One of eight, as the place is seen from the town. */
function directionFrom(town: Place, place: Place): CompassPoint {
  const north = place.latitude - town.latitude;
  const eastDegrees = ((((place.longitude - town.longitude + 180) % 360) + 360) % 360) - 180;
  const east = eastDegrees * Math.cos(place.latitude * radiansPerDegree);
  const eighth = Math.round(Math.atan2(east, north) / (Math.PI / 4));
  return compassPoints[(eighth + 8) % 8] ?? "n";
}

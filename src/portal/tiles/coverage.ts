import type { BoundingBox } from "../../domain/geometry/bounding-box.ts";
import type { Archive } from "./archive.ts";

/** The share of a tile that lies within the bounds, from 0 to 1. Measured on the square map, as tiles are. */
export function coveredShare(bounds: BoundingBox, z: number, x: number, y: number): number {
  const [west, south, east, north] = bounds;
  const size = 2 ** z;
  const across = overlap(x, columnOf(west) * size, columnOf(east) * size);
  const down = overlap(y, rowOf(north) * size, rowOf(south) * size);
  return across * down;
}

/** The archives that may have the tile, the best first: the one that covers most of it, then the one with most detail. */
export function candidates(archives: readonly Archive[], z: number, x: number, y: number): readonly Archive[] {
  return archives
    .filter(({ minZoom, maxZoom }) => minZoom <= z && z <= maxZoom)
    .map((archive) => ({ archive, share: coveredShare(archive.bounds, z, x, y) }))
    .filter(({ share }) => share > 0)
    .toSorted((one, other) => other.share - one.share || other.archive.maxZoom - one.archive.maxZoom)
    .map(({ archive }) => archive);
}

/** The smallest bounds around all of them. */
export function boundsOfAll(archives: readonly Archive[]): BoundingBox {
  const all = archives.map(({ bounds }) => bounds);
  return [
    Math.min(...all.map(([west]) => west)),
    Math.min(...all.map(([, south]) => south)),
    Math.max(...all.map(([, , east]) => east)),
    Math.max(...all.map(([, , , north]) => north)),
  ];
}

/** How much of the step from `place` to the next lies between the two. */
function overlap(place: number, from: number, to: number): number {
  return Math.max(0, Math.min(place + 1, to) - Math.max(place, from));
}

export function columnOf(longitude: number): number {
  return (longitude + 180) / 360;
}

/** Where the square map ends. */
const maxLatitude = 85.0511287798066;

export function rowOf(latitude: number): number {
  const radians = (Math.max(-maxLatitude, Math.min(maxLatitude, latitude)) * Math.PI) / 180;
  return (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2;
}

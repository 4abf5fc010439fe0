import { metresPerDegree, radiansPerDegree } from "./bounding-box.ts";
import { encloses, metresToOutline, type Outline } from "./outline.ts";

/** A rectangle of a polygon's box, by its middle. */
interface Cell {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  /** The inradius is at most this if its centre is in the cell. */
  readonly maxMetres: number;
}

/** It only limits the buffer of a small fence, so a few per cent is near enough. */
const nearEnough = 1.05;

/** A polygon that needs more cells is a sliver. The search must end for it, too. */
const maxCells = 400;

/** The distance from the edge to the inner place farthest from it: the box is halved, the most promising part first. */
export function polygonInradiusMetres(outline: Outline, holes: number): number {
  const box = outline.runs.reduce((one, other) => ({
    first: 0,
    last: 0,
    west: Math.min(one.west, other.west),
    south: Math.min(one.south, other.south),
    east: Math.max(one.east, other.east),
    north: Math.max(one.north, other.north),
  }));
  let most = holes === 0 ? areaByPerimeterMetres(outline) : 0;
  const cells: Cell[] = [];
  const consider = (x: number, y: number, halfWidth: number, halfHeight: number) => {
    const place = { latitude: y, longitude: outline.originLongitude + x };
    const metres = metresToOutline(outline, place);
    const inside = encloses(outline, place) ? metres : -metres;
    most = Math.max(most, inside);
    const reach = Math.hypot(halfWidth * longestDegree(y, halfHeight), halfHeight) * metresPerDegree;
    const maxMetres = inside + reach;
    if (maxMetres > most * nearEnough) cells.push({ x, y, halfWidth, halfHeight, maxMetres: maxMetres });
  };
  consider(
    (box.west + box.east) / 2,
    (box.south + box.north) / 2,
    (box.east - box.west) / 2,
    (box.north - box.south) / 2,
  );
  for (let count = 0; count < maxCells; count++) {
    const best = removeBest(cells);
    if (best === null || best.maxMetres <= most * nearEnough) break;
    const { x, y, halfWidth, halfHeight } = best;
    if (halfWidth * longestDegree(y, halfHeight) > halfHeight) {
      consider(x - halfWidth / 2, y, halfWidth / 2, halfHeight);
      consider(x + halfWidth / 2, y, halfWidth / 2, halfHeight);
    } else {
      consider(x, y - halfHeight / 2, halfWidth, halfHeight / 2);
      consider(x, y + halfHeight / 2, halfWidth, halfHeight / 2);
    }
  }
  return most;
}

function removeBest(cells: Cell[]): Cell | null {
  let best = 0;
  for (let index = 1; index < cells.length; index++) {
    if ((cells[index] as Cell).maxMetres > (cells[best] as Cell).maxMetres) best = index;
  }
  const last = cells.pop();
  if (last === undefined || best === cells.length) return last ?? null;
  const found = cells[best] as Cell;
  cells[best] = last;
  return found;
}

/** The greatest length of a degree of longitude within a cell, as a share of a degree of latitude. */
function longestDegree(y: number, halfHeight: number): number {
  return Math.cos(Math.max(0, Math.abs(y) - halfHeight) * radiansPerDegree);
}

/** A lower bound to start from, so that a sliver has a result: no polygon without holes has a smaller inradius. */
function areaByPerimeterMetres({ xs, ys, runs }: Outline): number {
  const meanLatitude = ys.reduce((sum, y) => sum + y, 0) / ys.length;
  const shrink = Math.cos(meanLatitude * radiansPerDegree);
  let twiceArea = 0;
  let perimeter = 0;
  for (const { first, last } of runs) {
    for (let index = first; index < last; index++) {
      const aX = (xs[index] as number) * shrink;
      const bX = (xs[index + 1] as number) * shrink;
      const aY = (ys[index] as number) - (ys[0] as number);
      const bY = (ys[index + 1] as number) - (ys[0] as number);
      twiceArea += aX * bY - bX * aY;
      perimeter += Math.hypot(bX - aX, bY - aY);
    }
  }
  return (Math.abs(twiceArea) / 2 / perimeter) * metresPerDegree;
}

import { type EdgeStretch, insideCapsules, type Way } from "./capsules.ts";
import { metresBetween, type Place } from "./distance.ts";
import { type FenceArea, mayMeet, signedDistanceMetres } from "./fence-area.ts";
import { degreesEast } from "./longitudes.ts";
import { eastOfOrigin, type Outline } from "./outline.ts";

/** How a way leads through a fence, though it begins and ends outside. */
interface Passage {
  /** Fractions of the way: where it first comes in, and where it goes out for the last time. */
  readonly entry: number;
  readonly exit: number;
  /** How much of it is inside. */
  readonly chordMetres: number;
}

/** A billionth of the longest leg that is interpolated, 900 s, is far below a millisecond. */
const bisections = 30;

/** The way is straight in longitude and latitude. Null also if it begins or ends inside. */
export function passage(area: FenceArea, from: Place, to: Place): Passage | null {
  if (!mayMeet(area.extent, from, to)) return null;
  const stretches = stretchesInside(area, from, to);
  const [first] = stretches;
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return null;
  if (signedDistanceMetres(area, from) <= 0 || signedDistanceMetres(area, to) <= 0) return null;
  const inside = stretches.reduce((sum, stretch) => sum + stretch.exit - stretch.entry, 0);
  return { entry: first.entry, exit: last.exit, chordMetres: inside * metresBetween(from, to) };
}

/** The fraction of a way at which it crosses to the side on which it ends; 0 if it starts there; of several, one. */
export function edgeFraction(area: FenceArea, from: Place, to: Place): number {
  const endsInside = signedDistanceMetres(area, to) <= 0;
  const isOver = (fraction: number) => signedDistanceMetres(area, placeBetween(from, to, fraction)) <= 0 === endsInside;
  return isOver(0) ? 0 : bisect(isOver, 0, 1);
}

/** Where a condition begins to hold, between a fraction at which it does not and one at which it does. */
function bisect(holds: (fraction: number) => boolean, without: number, having: number): number {
  let [low, high] = [without, having];
  for (let count = 0; count < bisections; count++) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function stretchesInside(area: FenceArea, from: Place, to: Place): readonly EdgeStretch[] {
  switch (area.shape) {
    case "circle":
      return insideCircle(area, from, to);
    case "polygon":
      return insideRings(area.outline, wayOn(area.outline, from, to));
    case "corridor":
      return insideCapsules(area.line, wayOn(area.line, from, to), area.halfWidthMetres);
  }
}

function wayOn(outline: Outline, from: Place, to: Place): Way {
  const dX = degreesEast(from.longitude, to.longitude);
  const middleX = eastOfOrigin(outline, degreesEast(0, from.longitude + dX / 2));
  return { fromX: middleX - dX / 2, fromY: from.latitude, dX, dY: to.latitude - from.latitude };
}

/** The way leaves the circle on either side of its place nearest to the centre, which is inside if any place is. */
function insideCircle(area: FenceArea & { shape: "circle" }, from: Place, to: Place): EdgeStretch[] {
  const metresAt = (fraction: number) => signedDistanceMetres(area, placeBetween(from, to, fraction));
  const isInside = (fraction: number) => metresAt(fraction) <= 0;
  const roughly = nearestFraction(area.centre, from, to);
  const metres = metresAt(roughly);
  // The plane's nearest fraction is slightly off; the error grows with the circle.
  if (metres > area.radiusMetres / 100) return [];
  const nearest = metres <= 0 ? roughly : minimumBetween(metresAt);
  if (!isInside(nearest)) return [];
  return [{ entry: bisect(isInside, 0, nearest), exit: bisect(isInside, 1, nearest) }];
}

function nearestFraction(centre: Place, from: Place, to: Place): number {
  const shrink = Math.cos(((centre.latitude + (from.latitude + to.latitude) / 2) / 2) * (Math.PI / 180));
  const dX = degreesEast(from.longitude, to.longitude) * shrink;
  const dY = to.latitude - from.latitude;
  const length = dX * dX + dY * dY;
  if (length === 0) return 0;
  const x = degreesEast(from.longitude, centre.longitude) * shrink;
  return Math.min(1, Math.max(0, (x * dX + (centre.latitude - from.latitude) * dY) / length));
}

/** The fraction at which a function that falls and then rises is least. */
function minimumBetween(valueAt: (fraction: number) => number): number {
  let [low, high] = [0, 1];
  for (let count = 0; count < 2 * bisections; count++) {
    const third = (high - low) / 3;
    if (valueAt(low + third) < valueAt(high - third)) high -= third;
    else low += third;
  }
  return (low + high) / 2;
}

/** From a start outside, the way alternates between inside and outside at each edge it crosses. */
function insideRings(outline: Outline, way: Way): EdgeStretch[] {
  const cuts = cutsOf(outline, way).sort((one, other) => one - other);
  const stretches: EdgeStretch[] = [];
  for (let index = 1; index < cuts.length; index += 2) {
    stretches.push({ entry: cuts[index - 1] as number, exit: cuts[index] as number });
  }
  return stretches;
}

function cutsOf({ xs, ys, runs }: Outline, { fromX, fromY, dX, dY }: Way): number[] {
  const cuts: number[] = [];
  const length = dX * dX + dY * dY;
  if (length === 0) return cuts;
  for (const run of runs) {
    if (Math.min(fromX, fromX + dX) > run.east || Math.max(fromX, fromX + dX) < run.west) continue;
    if (Math.min(fromY, fromY + dY) > run.north || Math.max(fromY, fromY + dY) < run.south) continue;
    let aX = (xs[run.first] as number) - fromX;
    let aY = (ys[run.first] as number) - fromY;
    let aSide = dX * aY - dY * aX;
    for (let index = run.first + 1; index <= run.last; index++) {
      const bX = (xs[index] as number) - fromX;
      const bY = (ys[index] as number) - fromY;
      const bSide = dX * bY - dY * bX;
      // A vertex on the line counts as right of it, so two edges that meet there are cut once or not at all.
      if (aSide > 0 !== bSide > 0) {
        const along = aSide / (aSide - bSide);
        const fraction = ((aX + along * (bX - aX)) * dX + (aY + along * (bY - aY)) * dY) / length;
        if (fraction >= 0 && fraction <= 1) cuts.push(fraction);
      }
      [aX, aY, aSide] = [bX, bY, bSide];
    }
  }
  return cuts;
}

/** The place at a fraction of a way that is straight in longitude and latitude, the shorter way round the globe. */
export function placeBetween(from: Place, to: Place, fraction: number): Place {
  const longitude = from.longitude + fraction * degreesEast(from.longitude, to.longitude);
  return {
    latitude: from.latitude + fraction * (to.latitude - from.latitude),
    longitude: degreesEast(0, longitude),
  };
}

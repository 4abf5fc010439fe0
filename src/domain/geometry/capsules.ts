import { metresPerDegree, radiansPerDegree } from "./bounding-box.ts";
import type { Outline } from "./outline.ts";

/** A straight way near an outline, in degrees east of the outline's first vertex and degrees north. */
export interface Way {
  readonly fromX: number;
  readonly fromY: number;
  readonly dX: number;
  readonly dY: number;
}

/** A part of a way, as fractions of it. */
export interface EdgeStretch {
  readonly entry: number;
  readonly exit: number;
}

/** The stretches of a way nearer to a line than half its width, in order, without overlap: one capsule per segment. */
export function insideCapsules(line: Outline, way: Way, halfWidthMetres: number): EdgeStretch[] {
  const { xs, ys, runs } = line;
  // One plane for all, to scale at the middle of the way.
  const scaleY = metresPerDegree;
  const scaleX = metresPerDegree * Math.cos((way.fromY + way.dY / 2) * radiansPerDegree);
  const [dX, dY] = [way.dX * scaleX, way.dY * scaleY];
  const stretches: EdgeStretch[] = [];
  for (const run of runs) {
    if (Math.min(0, dX) > (run.east - way.fromX) * scaleX + halfWidthMetres) continue;
    if (Math.max(0, dX) < (run.west - way.fromX) * scaleX - halfWidthMetres) continue;
    if (Math.min(0, dY) > (run.north - way.fromY) * scaleY + halfWidthMetres) continue;
    if (Math.max(0, dY) < (run.south - way.fromY) * scaleY - halfWidthMetres) continue;
    for (let index = run.first; index < run.last; index++) {
      const aX = ((xs[index] as number) - way.fromX) * scaleX;
      const aY = ((ys[index] as number) - way.fromY) * scaleY;
      const bX = ((xs[index + 1] as number) - way.fromX) * scaleX;
      const bY = ((ys[index + 1] as number) - way.fromY) * scaleY;
      const stretch = insideCapsule(dX, dY, aX, aY, bX - aX, bY - aY, halfWidthMetres);
      if (stretch.entry < stretch.exit) stretches.push(stretch);
    }
  }
  return joinedStretches(stretches);
}

/** The part of the way from 0 to d within `metres` of the segment from a to a + s: one, since a capsule is convex. */
function insideCapsule(
  dX: number,
  dY: number,
  aX: number,
  aY: number,
  sX: number,
  sY: number,
  metres: number,
): EdgeStretch {
  const stretches = [
    insideDisc(dX, dY, aX, aY, metres),
    insideDisc(dX, dY, aX + sX, aY + sY, metres),
    insideBox(dX, dY, aX, aY, sX, sY, metres),
  ].filter(({ entry, exit }) => entry < exit);
  return {
    entry: Math.max(0, Math.min(...stretches.map(({ entry }) => entry))),
    exit: Math.min(1, Math.max(...stretches.map(({ exit }) => exit))),
  };
}

const nowhere: EdgeStretch = { entry: Number.POSITIVE_INFINITY, exit: Number.NEGATIVE_INFINITY };

function insideDisc(dX: number, dY: number, x: number, y: number, metres: number): EdgeStretch {
  const a = dX * dX + dY * dY;
  const b = dX * x + dY * y;
  const discriminant = b * b - a * (x * x + y * y - metres * metres);
  if (a === 0 || discriminant <= 0) return nowhere;
  const root = Math.sqrt(discriminant);
  return { entry: (b - root) / a, exit: (b + root) / a };
}

function insideBox(
  dX: number,
  dY: number,
  aX: number,
  aY: number,
  sX: number,
  sY: number,
  metres: number,
): EdgeStretch {
  const length = Math.hypot(sX, sY);
  if (length === 0) return nowhere;
  const [uX, uY] = [sX / length, sY / length];
  const along = between(-(aX * uX + aY * uY), dX * uX + dY * uY, 0, length);
  const across = between(aX * uY - aY * uX, dY * uX - dX * uY, -metres, metres);
  return { entry: Math.max(along.entry, across.entry), exit: Math.min(along.exit, across.exit) };
}

/** The fractions for which start + fraction · change is between two bounds. */
function between(start: number, change: number, min: number, max: number): EdgeStretch {
  if (change === 0) {
    return start > min && start < max ? { entry: Number.NEGATIVE_INFINITY, exit: Number.POSITIVE_INFINITY } : nowhere;
  }
  const [one, other] = [(min - start) / change, (max - start) / change];
  return { entry: Math.min(one, other), exit: Math.max(one, other) };
}

function joinedStretches(stretches: readonly EdgeStretch[]): EdgeStretch[] {
  const result: EdgeStretch[] = [];
  for (const stretch of stretches.toSorted((one, other) => one.entry - other.entry)) {
    const last = result.at(-1);
    if (last === undefined || last.exit < stretch.entry) result.push(stretch);
    else if (last.exit < stretch.exit) result[result.length - 1] = { entry: last.entry, exit: stretch.exit };
  }
  return result;
}

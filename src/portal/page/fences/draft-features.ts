import type { Feature } from "geojson";
import type { GeometryProblem, Position } from "../../../domain/geometry/geojson.ts";
import { unwrapLongitudes } from "../../../domain/geometry/longitudes.ts";
import { fenceFeatures } from "../map/layers/fence-shapes.ts";
import { feature, lineFeature } from "../map/style/features.ts";
import {
  closedRing,
  type Drawing,
  metresLimits,
  midpoints,
  shapeFields,
  unwrappedRings,
  type Vertex,
} from "./drawing.ts";
import { insertPoint, movePoint } from "./drawing-edits.ts";
import { eastOf, metresApart } from "./measure.ts";

export type DraftFencePart = "area" | "edge" | "corridor" | "next" | "wrong";

/** A drawing as the map shows it; `pointer` is where the next point would be. Pure. */
export function draftFeatures(drawing: Drawing, pointer: Position | null, problem: GeometryProblem | null): Feature[] {
  const rings = unwrappedRings(drawing);
  const features = shapeFeatures({ ...drawing, rings });
  const last = rings[0]?.at(-1);
  if (pointer !== null && last !== undefined && !drawing.isDone) {
    features.push(line("next", unwrapLongitudes([last, pointer])));
  }
  for (const { ring, edge } of problem?.edges ?? []) {
    const points = rings[ring] ?? [];
    const [from, to] = [points[edge], points[(edge + 1) % points.length]];
    if (from && to) features.push(line("wrong", [from, to]));
  }
  return features;
}

function shapeFeatures(drawing: Drawing): Feature[] {
  const { shape, rings, isDone } = drawing;
  const [points = []] = rings;
  const drawn = (...parts: DraftFencePart[]) => {
    const fence = { geofence_id: "", name: "", color: null, ...shapeFields(drawing) };
    return fenceFeatures([fence]).flatMap(({ geometry, properties }) =>
      parts.map((part) => feature(geometry, { ...properties, part })),
    );
  };
  switch (shape) {
    case "circle":
      return points.length === 0 ? [] : drawn("area", "edge");
    case "polygon":
      if (!isDone) return points.length < 2 ? [] : [line("edge", points)];
      // As lines: of an outline that crosses itself the map may draw no area at all.
      return [...drawn("area"), ...rings.map((ring) => line("edge", closedRing(ring)))];
    case "corridor":
      return points.length < 2 ? [] : [...drawn("corridor"), line("edge", points)];
  }
}

function line(part: DraftFencePart, points: readonly (readonly number[])[]): Feature {
  return lineFeature(points, { part });
}

/** Something of a drawing that a person can take hold of. */
export type Handle =
  | { readonly kind: "point"; readonly at: Vertex; readonly position: Position; readonly count: number }
  | { readonly kind: "middle"; readonly at: Vertex; readonly position: Position }
  | { readonly kind: "radius"; readonly position: Position };

export function handlesOf(drawing: Drawing): Handle[] {
  const rings = unwrappedRings(drawing);
  const points = rings.flatMap((ring, number) =>
    ring.map((position, index): Handle => {
      return { kind: "point", at: { ring: number, index }, position, count: ring.length };
    }),
  );
  const centre = rings[0]?.[0];
  if (drawing.shape === "circle") {
    return centre === undefined ? [] : [...points, { kind: "radius", position: eastOf(centre, drawing.metres) }];
  }
  return [
    ...points,
    ...midpoints(drawing).map(({ after, position }): Handle => ({ kind: "middle", at: after, position })),
  ];
}

/** What moving a handle makes of a drawing. A circle's radius stays within its bounds. Pure. */
export function moved(drawing: Drawing, handle: Handle, to: Position): Drawing {
  switch (handle.kind) {
    case "point":
      return movePoint(drawing, handle.at, to);
    case "middle":
      return insertPoint(drawing, handle.at, to);
    case "radius": {
      const centre = drawing.rings[0]?.[0];
      if (centre === undefined) return drawing;
      const { min, max } = metresLimits.circle;
      return { ...drawing, metres: Math.min(max, Math.max(min, Math.round(metresApart(centre, to)))) };
    }
  }
}

/** A name for it that no other handle of the drawing has. */
export function handleKey(handle: Handle): string {
  return handle.kind === "radius" ? "radius" : `${handle.kind} ${handle.at.ring} ${handle.at.index}`;
}

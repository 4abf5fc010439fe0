import type { Position } from "../../../domain/geometry/geojson.ts";
import { type Drawing, metresLimits, midpoints, unwrappedRings, type Vertex } from "./drawing.ts";
import { insertPoint, movePoint } from "./drawing-edits.ts";
import { eastOf, metresApart } from "./measure.ts";

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

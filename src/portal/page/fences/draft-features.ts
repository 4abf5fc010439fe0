import type { Feature } from "geojson";
import type { GeometryProblem, Position } from "../../../domain/geometry/geojson.ts";
import { unwrapLongitudes } from "../../../domain/geometry/longitudes.ts";
import { fenceFeatures } from "../map/layers/fence-shapes.ts";
import { feature, lineFeature } from "../map/style/features.ts";
import { closedRing, type Drawing, shapeFields, unwrappedRings } from "./drawing.ts";

export type DraftPart = "area" | "edge" | "corridor" | "next" | "wrong";

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
  const drawn = (...parts: DraftPart[]) => {
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

function line(part: DraftPart, points: readonly (readonly number[])[]): Feature {
  return lineFeature(points, { part });
}

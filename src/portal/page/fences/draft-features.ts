import type { Feature, FeatureCollection, Geometry } from "geojson";
import type { GeometryProblem, Position } from "../../../domain/geometry/geojson.ts";
import { unwrapLongitudes } from "../../../domain/geometry/longitudes.ts";
import { fenceFeatures } from "../map/fence-shapes.ts";
import { type Drawing, unwrappedRings } from "./drawing.ts";

/** What of a drawing a feature is, and so in which layer it is drawn. */
export type DraftPart = "area" | "edge" | "corridor" | "next" | "wrong";

/** A drawing as the map shows it; `pointer` is where the next point would be. Pure. */
export function draftFeatures(
  drawing: Drawing,
  pointer: Position | null,
  problem: GeometryProblem | null,
): FeatureCollection {
  const rings = unwrappedRings(drawing);
  const features = partsOf(drawing, rings);
  const last = rings[0]?.at(-1);
  if (pointer !== null && last !== undefined && !drawing.isDone) {
    const [, next = pointer] = unwrapLongitudes([last, pointer]);
    features.push(feature("next", { type: "LineString", coordinates: [positionOf(last), positionOf(next)] }));
  }
  for (const { ring, edge } of problem?.edges ?? []) {
    const points = rings[ring] ?? [];
    const [from, to] = [points[edge], points[(edge + 1) % points.length]];
    if (from && to) features.push(feature("wrong", line([from, to])));
  }
  return { type: "FeatureCollection", features };
}

function partsOf(drawing: Drawing, rings: readonly Position[][]): Feature[] {
  const [points = []] = rings;
  switch (drawing.shape) {
    case "circle": {
      const [centre] = points;
      if (centre === undefined) return [];
      const drawn = fenceFeatures([asFence(drawing, { type: "Point", coordinates: positionOf(centre) })]);
      return drawn.features.flatMap(({ geometry }) => [feature("area", geometry), feature("edge", geometry)]);
    }
    case "polygon": {
      if (!drawing.isDone) return points.length < 2 ? [] : [feature("edge", line(points))];
      const closed = rings.map((ring) => [...ring, ...ring.slice(0, 1)]);
      const area = { type: "Polygon" as const, coordinates: closed.map((ring) => ring.map(positionOf)) };
      // As lines: of an outline that crosses itself the map may draw no area at all.
      return [feature("area", area), ...closed.map((ring) => feature("edge", line(ring)))];
    }
    case "corridor": {
      if (points.length < 2) return [];
      const drawn = fenceFeatures([asFence(drawing, line(points))]);
      const wide = drawn.features.map(({ geometry, properties }) => feature("corridor", geometry, properties ?? {}));
      return [...wide, feature("edge", line(points))];
    }
  }
}

function asFence({ metres }: Drawing, geometry: ReturnType<typeof line> | { type: "Point"; coordinates: number[] }) {
  return { geofence_id: "", name: "", color: null, geometry, radius_m: metres, width_m: metres };
}

function feature(part: DraftPart, geometry: Geometry, further: object = {}): Feature {
  return { type: "Feature", properties: { ...further, part }, geometry };
}

function line(points: readonly Position[]) {
  return { type: "LineString" as const, coordinates: points.map(positionOf) };
}

function positionOf([longitude, latitude]: Position): number[] {
  return [longitude, latitude];
}

import { type FenceShape, readFenceShape } from "../../../domain/geometry/fence-shape.ts";
import type { GeometryProblem } from "../../../domain/geometry/geojson.ts";
import { type Drawing, minPoints, shapeFields } from "./drawing.ts";

/** What the fleet file would say to it, except what only the missing end of a drawing causes. */
export function problemOf(drawing: Drawing): GeometryProblem | null {
  const points = drawing.rings[0]?.length ?? 0;
  if (!drawing.isDone && points < minPoints[drawing.shape]) return null;
  const [problem = null] = readFenceShape(shapeFields(drawing)).problems ?? [];
  if (problem === null || drawing.isDone) return problem;
  const isOfEnd = problem.kind === "flat" || problem.edges?.some(({ ring, edge }) => ring === 0 && edge === points - 1);
  return isOfEnd ? null : problem;
}

export function shapeOf(drawing: Drawing): FenceShape | null {
  return drawing.isDone ? readFenceShape(shapeFields(drawing)).shape : null;
}

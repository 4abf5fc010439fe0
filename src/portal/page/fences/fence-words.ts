import type { GeometryProblem, Position, Ring } from "../../../domain/geometry/geojson.ts";
import type { ShapeFields } from "../../both-sides/contract/fences.ts";
import type { Show } from "../../both-sides/reading/show.ts";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";
import { type Drawing, metresLimits } from "./drawing.ts";
import { areaSquareMetres, lengthMetres, showArea, showMetres } from "./measure.ts";

type Words = AdministrationTexts["fences"];

/** "Circle, radius 150 m". */
export function sizeWords({ shape, geometry, radius_m, width_m }: ShapeFields, show: Show, words: Words): string {
  const coordinates: unknown = geometry.coordinates;
  switch (shape) {
    case "circle":
      return words.circle(showMetres(radius_m ?? 0, show));
    case "polygon":
      return words.polygon(showArea(areaSquareMetres(coordinates as Ring[]), show));
    case "corridor": {
      const length = show.shortDistance(lengthMetres(coordinates as Position[]));
      return words.corridor(length, showMetres(width_m ?? 0, show));
    }
  }
}

export function vehicleCountWords(count: number, show: Show, words: Words): string {
  return count === 0 ? words.noVehicles : words.vehicles(count, show.number(count));
}

export function problemWords({ shape }: Drawing, { kind }: GeometryProblem, show: Show, { problems }: Words): string {
  if (kind === undefined) return problems.other;
  if (kind !== "metres") return problems[kind];
  const { min, max } = metresLimits[shape === "corridor" ? "corridor" : "circle"];
  return problems.metres(showMetres(min, show), showMetres(max, show));
}

import type { GeometryProblem } from "../../../domain/geometry/geojson.ts";
import type { Show } from "../common/show.ts";
import type { AdministrationTexts } from "../texts/texts.ts";
import { type Drawing, metresLimits } from "./drawing.ts";
import { showMetres } from "./measure.ts";

/** What is wrong with a drawing. */
export function problemWords(
  { shape }: Drawing,
  { kind }: GeometryProblem,
  show: Show,
  { problems }: AdministrationTexts["fences"],
): string {
  if (kind === undefined) return problems.other;
  if (kind !== "metres") return problems[kind];
  const { min, max } = metresLimits[shape === "corridor" ? "corridor" : "circle"];
  return problems.metres(showMetres(min, show), showMetres(max, show));
}

import type { Position, Ring } from "../../../domain/geometry/geojson.ts";
import type { Show } from "../common/show.ts";
import type { AdministrationTexts } from "../texts/texts.ts";
import type { ListedFence } from "./fence-records.ts";
import { areaSquareMetres, lengthMetres, showArea, showMetres } from "./measure.ts";

/** "Circle, radius 150 m". Pure. */
export function sizeWords(
  { shape, geometry, radius_m, width_m }: Pick<ListedFence, "shape" | "geometry" | "radius_m" | "width_m">,
  show: Show,
  words: AdministrationTexts["fences"],
): string {
  const coordinates = geometry.coordinates as unknown;
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

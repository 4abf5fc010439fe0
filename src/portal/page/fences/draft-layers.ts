import type { Map as GlMap, LineLayerSpecification } from "maplibre-gl";
import type { GeometryProblem, Position } from "../../../domain/geometry/geojson.ts";
import { corridorTiling, corridorWidth } from "../map/layers/fence-layers.ts";
import { collection, showFeatures } from "../map/style/features.ts";
import type { MapTheme } from "../map/style/map-theme.ts";
import { type DraftPart, draftFeatures } from "./draft-features.ts";
import type { Drawing } from "./drawing.ts";

const source = "draft";

type Line = Required<LineLayerSpecification>;

/** The layers of the fence that is being drawn, above all others. */
export function addDraftLayers(map: GlMap, { accent, rejected }: MapTheme): void {
  map.addSource(source, { type: "geojson", data: collection([]), ...corridorTiling });
  const isPart = (part: DraftPart) => ["==", ["get", "part"], part] as never;
  const round = { "line-cap": "round", "line-join": "round" } as const;
  const line = (part: DraftPart, paint: Line["paint"], layout: Line["layout"] = round) =>
    map.addLayer({ id: `draft-${part}`, type: "line", source, filter: isPart(part), layout, paint });
  const area = { "fill-color": accent, "fill-opacity": 0.1 };
  map.addLayer({ id: "draft-area", type: "fill", source, filter: isPart("area"), paint: area });
  line("corridor", { "line-color": accent, "line-opacity": 0.14, "line-width": corridorWidth });
  line("edge", { "line-color": accent, "line-width": 2.5 });
  line("next", { "line-color": accent, "line-width": 2, "line-dasharray": [2, 2] }, {});
  line("wrong", { "line-color": rejected, "line-width": 4 });
}

export function showDraft(
  map: GlMap,
  drawing: Drawing | null,
  pointer: Position | null,
  problem: GeometryProblem | null,
): void {
  showFeatures(map, source, drawing === null ? [] : draftFeatures(drawing, pointer, problem));
}

/** In the owner's colour, if the browser knows it. */
export function paintDraft(map: GlMap, colour: string | null, { accent }: MapTheme): void {
  const known = colour !== null && CSS.supports("color", colour) ? colour : accent;
  map.setPaintProperty("draft-area", "fill-color", known);
  for (const layer of ["draft-corridor", "draft-edge", "draft-next"]) map.setPaintProperty(layer, "line-color", known);
}

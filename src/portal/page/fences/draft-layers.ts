import type { GeoJSONSource, Map as GlMap } from "maplibre-gl";
import type { GeometryProblem, Position } from "../../../domain/geometry/geojson.ts";
import { corridorTiling, corridorWidth } from "../map/fence-layers.ts";
import type { MapTheme } from "../map/map-theme.ts";
import { type DraftPart, draftFeatures } from "./draft-features.ts";
import type { Drawing } from "./drawing.ts";

const source = "draft";
const nothing = { type: "FeatureCollection" as const, features: [] };

/** The layers of the fence that is being drawn, above all others. */
export function addDraftLayers(map: GlMap, theme: MapTheme): void {
  map.addSource(source, { type: "geojson", data: nothing, ...corridorTiling });
  const isPart = (part: DraftPart) => ["==", ["get", "part"], part] as never;
  const round = { "line-cap": "round", "line-join": "round" } as const;
  map.addLayer({
    id: "draft-area",
    type: "fill",
    source,
    filter: isPart("area"),
    paint: { "fill-color": theme.accent, "fill-opacity": 0.18 },
  });
  map.addLayer({
    id: "draft-corridor",
    type: "line",
    source,
    filter: isPart("corridor"),
    layout: round,
    paint: { "line-color": theme.accent, "line-opacity": 0.22, "line-width": corridorWidth as never },
  });
  map.addLayer({
    id: "draft-edge",
    type: "line",
    source,
    filter: isPart("edge"),
    layout: round,
    paint: { "line-color": theme.accent, "line-width": 2.5 },
  });
  map.addLayer({
    id: "draft-next",
    type: "line",
    source,
    filter: isPart("next"),
    paint: { "line-color": theme.accent, "line-width": 2, "line-dasharray": [2, 2] },
  });
  map.addLayer({
    id: "draft-wrong",
    type: "line",
    source,
    filter: isPart("wrong"),
    layout: round,
    paint: { "line-color": theme.rejected, "line-width": 4 },
  });
}

export function showDraft(
  map: GlMap,
  drawing: Drawing | null,
  pointer: Position | null,
  problem: GeometryProblem | null,
): void {
  const data = drawing === null ? nothing : draftFeatures(drawing, pointer, problem);
  map.getSource<GeoJSONSource>(source)?.setData(data);
}

/** In the owner's colour, if the browser knows it. */
export function paintDraft(map: GlMap, colour: string | null, theme: MapTheme): void {
  const known = colour !== null && CSS.supports("color", colour) ? colour : theme.accent;
  map.setPaintProperty("draft-area", "fill-color", known);
  for (const layer of ["draft-corridor", "draft-edge", "draft-next"]) map.setPaintProperty(layer, "line-color", known);
}

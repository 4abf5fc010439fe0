import type { GeoJSONSource, Map as GlMap } from "maplibre-gl";
import type { MapTheme } from "./map-theme.ts";
import { markName } from "./marks.ts";
import { isNothing, type MarksById, markChanges } from "./vehicle-marks.ts";
import { mapFonts } from "./world-style.ts";

export const vehicleLayer = "vehicles";
const source = "vehicles";
const selectedLayer = "vehicle-selected";
const selectedMark = "vehicle-selected-mark";
const namesLayer = "vehicle-names";
const closestZoom = 24;

/** From here on names are worth their room; with many vehicles later, where fewer of them share the screen. */
const namesZoom = { few: 7, many: 10 };
const manyVehicles = 1000;

/** Marks get smaller where many of them share little room. */
const markSize = ["interpolate", ["linear"], ["zoom"], 2, 0.5, 6, 0.8, 11, 1.1];

/** One source and four layers, however many vehicles there are: the graphics card draws them all. */
export function addVehicleLayers(map: GlMap, theme: MapTheme): void {
  map.addSource(source, { type: "geojson", data: { type: "FeatureCollection", features: [] } });
  map.addLayer({
    id: selectedLayer,
    type: "circle",
    source,
    filter: ["==", ["get", "id"], ""],
    paint: {
      "circle-radius": 20,
      "circle-color": theme.accent,
      "circle-opacity": 0.18,
      "circle-stroke-color": theme.accent,
      "circle-stroke-width": 2,
    },
  });
  const mark = {
    "icon-image": ["concat", markName(theme, ""), ["get", "motion"]] as never,
    "icon-size": markSize as never,
    "icon-rotate": ["get", "turn"] as never,
    "icon-rotation-alignment": "map" as const,
    "icon-allow-overlap": true,
    "icon-ignore-placement": true,
  };
  map.addLayer({
    id: vehicleLayer,
    type: "symbol",
    source,
    layout: { ...mark, "symbol-sort-key": ["get", "order"] },
  });
  // Once more, above those that stand in the same place.
  map.addLayer({ id: selectedMark, type: "symbol", source, filter: ["==", ["get", "id"], ""], layout: mark });
  map.addLayer({
    id: namesLayer,
    type: "symbol",
    source,
    minzoom: namesZoom.few,
    layout: {
      "text-field": ["get", "name"],
      "text-font": mapFonts,
      "text-size": 12,
      "text-anchor": "top",
      "text-offset": [0, 1.1],
      "text-optional": true,
    },
    paint: { "text-color": theme.label, "text-halo-color": theme.halo, "text-halo-width": 1.5 },
  });
}

/** Draws what differs from what the map shows already. */
export function showMarks(map: GlMap, before: MarksById, after: MarksById): void {
  const changes = markChanges(before, after);
  if (isNothing(changes)) return;
  map.getSource<GeoJSONSource>(source)?.updateData(changes);
  const isMany = after.size >= manyVehicles;
  if (isMany !== before.size >= manyVehicles) {
    map.setLayerZoomRange(namesLayer, isMany ? namesZoom.many : namesZoom.few, closestZoom);
  }
}

export function showSelected(map: GlMap, id: string | null): void {
  for (const layer of [selectedLayer, selectedMark]) map.setFilter(layer, ["==", ["get", "id"], id ?? ""]);
}

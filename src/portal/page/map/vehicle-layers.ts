import type { GeoJSONSource, Map as GlMap } from "maplibre-gl";
import type { MapTheme } from "./map-theme.ts";
import { markName } from "./marks.ts";
import { isNothing, type MarksById, markChanges } from "./vehicle-marks.ts";

export const vehicleLayer = "vehicles";
const source = "vehicles";
const selectedLayer = "vehicle-selected";
const selectedMark = "vehicle-selected-mark";
const namesLayer = "vehicle-names";
const roomLayer = "vehicle-room";
const closestZoom = 24;

/** Names are shown from this zoom on; with many vehicles from a larger one, where fewer share the screen. */
const namesZoom = { few: 7, many: 10 };
const manyVehicles = 1000;

/** Marks are smaller where many share little room. */
const markSize = ["interpolate", ["linear"], ["zoom"], 2, 0.5, 6, 0.8, 11, 1.1];

/** One source and five layers, however many vehicles there are: the graphics card draws them all. */
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
  // Higher layers take their room first, so a name gives way to every mark. The square round a turned mark is so large that
  // its own name would find no room: so an invisible, smaller mark takes the room instead.
  const room = {
    "icon-image": markName(theme, "room"),
    "icon-size": 0.7,
    "icon-padding": 0,
    "icon-allow-overlap": true,
  } as never;
  map.addLayer({
    id: namesLayer,
    type: "symbol",
    source,
    minzoom: namesZoom.few,
    layout: {
      "text-field": ["get", "name"],
      "text-font": [...theme.fonts],
      "text-size": 12,
      "text-variable-anchor-offset": ["top", [0, 1.1], "bottom", [0, -1.1], "left", [1.3, 0], "right", [-1.3, 0]],
      "text-justify": "auto",
    },
    paint: { "text-color": theme.text, "text-halo-color": theme.halo, "text-halo-width": 1.75 },
  });
  map.addLayer({ id: roomLayer, type: "symbol", source, layout: room });
  map.addLayer({
    id: vehicleLayer,
    type: "symbol",
    source,
    layout: { ...mark, "symbol-sort-key": ["get", "order"] },
  });
  // The selected vehicle again, above others in the same place.
  map.addLayer({ id: selectedMark, type: "symbol", source, filter: ["==", ["get", "id"], ""], layout: mark });
}

/** Draws the difference to what the map shows. */
export function showMarks(map: GlMap, before: MarksById, after: MarksById): void {
  const changes = markChanges(before, after);
  if (isNothing(changes)) return;
  map.getSource<GeoJSONSource>(source)?.updateData(changes);
  const isMany = after.size >= manyVehicles;
  if (isMany !== before.size >= manyVehicles) {
    map.setLayerZoomRange(namesLayer, isMany ? namesZoom.many : namesZoom.few, closestZoom);
    // Thousands of marks would leave no room for names, and take long to compare.
    map.setLayoutProperty(roomLayer, "visibility", isMany ? "none" : "visible");
  }
}

export function showSelected(map: GlMap, id: string | null): void {
  for (const layer of [selectedLayer, selectedMark]) map.setFilter(layer, ["==", ["get", "id"], id ?? ""]);
}

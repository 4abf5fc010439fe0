import type { GeoJSONSource, Map as GlMap } from "maplibre-gl";
import { useEffect, useRef } from "react";
import { collection, showFeatures } from "../style/features.ts";
import { addClusterLayer, clusterCounts, clusterRadiusPixels, isSingle } from "./cluster-layers.ts";
import { markName } from "./marks.ts";
import type { ReadyMap } from "./use-base-map.ts";
import type { MapVehicle } from "./vehicle.ts";
import { featureOf, isNothing, type MarksById, markChanges, toMarks } from "./vehicle-marks.ts";

const vehicleSource = "vehicles";
export const vehicleLayer = "vehicles";
export const selectedMark = "vehicle-selected-mark";
/** The selected vehicle alone: in the other source it may be a part of a cluster. */
const selectedSource = "vehicle-selected";
const namesLayer = "vehicle-names";
const roomLayer = "vehicle-room";
const closestZoom = 24;

/** Names are shown from this zoom on; with many vehicles from a larger one, where fewer share the screen. */
const namesZoom = { few: 7, many: 10 };
const manyVehicles = 1000;

/** As close as the map comes: what is one there cannot be seen apart. */
const maxClusterZoom = 18;

/** Marks are smaller where many share little room. */
const markSize = ["interpolate", ["linear"], ["zoom"], 2, 0.5, 6, 0.8, 11, 1.1];

/** One source and a few layers, however many vehicles there are: the graphics card draws them all. */
export function addVehicleLayers({ map, theme, locale }: ReadyMap): void {
  map.addSource(vehicleSource, {
    type: "geojson",
    data: collection([]),
    cluster: true,
    clusterRadius: clusterRadiusPixels.few,
    clusterMaxZoom: maxClusterZoom,
    clusterProperties: clusterCounts,
    maxzoom: maxClusterZoom + 1,
  });
  map.addSource(selectedSource, { type: "geojson", data: collection([]) });
  map.addLayer({
    id: "vehicle-selected",
    type: "circle",
    source: selectedSource,
    paint: {
      "circle-radius": 18,
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
    source: vehicleSource,
    filter: isSingle,
    minzoom: namesZoom.few,
    layout: {
      "text-field": ["get", "name"],
      "text-font": [...theme.fonts],
      "text-size": 12,
      "text-variable-anchor-offset": ["top", [0, 1.3], "bottom", [0, -1.3], "left", [1.3, 0], "right", [-1.3, 0]],
      "text-justify": "auto",
    },
    paint: { "text-color": theme.text, "text-halo-color": theme.halo, "text-halo-width": 1.75 },
  });
  map.addLayer({ id: roomLayer, type: "symbol", source: vehicleSource, filter: isSingle, layout: room });
  map.addLayer({
    id: vehicleLayer,
    type: "symbol",
    source: vehicleSource,
    filter: isSingle,
    layout: { ...mark, "symbol-sort-key": ["get", "order"] },
  });
  addClusterLayer({ map, theme, locale }, vehicleSource);
  // Above all others in the same place.
  map.addLayer({ id: selectedMark, type: "symbol", source: selectedSource, layout: mark });
}

/** Draws the vehicles, and from then on what changes. After a change of style the map is empty again. */
export function useMarks(ready: ReadyMap | null, vehicles: readonly MapVehicle[]): void {
  const drawn = useRef<{ readonly on: ReadyMap | null; readonly marks: MarksById }>({ on: null, marks: new Map() });
  useEffect(() => {
    if (!ready) return;
    const marks = toMarks(vehicles);
    showMarks(ready.map, drawn.current.on === ready ? drawn.current.marks : new Map(), marks);
    drawn.current = { on: ready, marks };
  }, [ready, vehicles]);
}

function showMarks(map: GlMap, before: MarksById, after: MarksById): void {
  const changes = markChanges(before, after);
  if (isNothing(changes)) return;
  const source = map.getSource<GeoJSONSource>(vehicleSource);
  source?.updateData(changes);
  const isMany = after.size >= manyVehicles;
  if (isMany !== before.size >= manyVehicles) {
    const clusterRadius = isMany ? clusterRadiusPixels.many : clusterRadiusPixels.few;
    source?.setClusterOptions({ cluster: true, clusterRadius });
    map.setLayerZoomRange(namesLayer, isMany ? namesZoom.many : namesZoom.few, closestZoom);
    // Thousands of marks would leave no room for names, and take long to compare.
    map.setLayoutProperty(roomLayer, "visibility", isMany ? "none" : "visible");
  }
}

export function showSelected(map: GlMap, selected: MapVehicle | null): void {
  const marks = [...toMarks(selected ? [selected] : [])];
  showFeatures(
    map,
    selectedSource,
    marks.map(([id, mark]) => featureOf(id, mark)),
  );
}

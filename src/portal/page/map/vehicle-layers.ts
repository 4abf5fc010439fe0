import type { GeoJSONSource, Map as GlMap } from "maplibre-gl";
import type { MapTheme } from "./map-theme.ts";
import { markName } from "./marks.ts";
import type { Vehicle } from "./vehicle.ts";
import { mapFonts } from "./world-style.ts";

export const vehicleLayer = "vehicles";
const source = "vehicles";
const selectedLayer = "vehicle-selected";

/** Marks get smaller where many of them share little room. */
const markSize = ["interpolate", ["linear"], ["zoom"], 2, 0.5, 6, 0.8, 11, 1.1];

/** One source and three layers, however many vehicles there are: the graphics card draws them all. */
export function addVehicleLayers(map: GlMap, theme: MapTheme): void {
  map.addSource(source, { type: "geojson", data: vehicleFeatures([]) });
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
  map.addLayer({
    id: vehicleLayer,
    type: "symbol",
    source,
    layout: {
      "icon-image": ["concat", markName(theme, ""), ["get", "motion"]],
      "icon-size": markSize as never,
      "icon-rotate": ["get", "turn"],
      "icon-rotation-alignment": "map",
      "icon-allow-overlap": true,
      "icon-ignore-placement": true,
      // What moves lies above what stands.
      "symbol-sort-key": ["get", "order"],
    },
  });
  map.addLayer({
    id: "vehicle-names",
    type: "symbol",
    source,
    minzoom: 7,
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

export function showVehicles(map: GlMap, vehicles: readonly Vehicle[]): void {
  map.getSource<GeoJSONSource>(source)?.setData(vehicleFeatures(vehicles));
}

export function showSelected(map: GlMap, id: string | null): void {
  map.setFilter(selectedLayer, ["==", ["get", "id"], id ?? ""]);
}

const order = { offline: 0, stopped: 1, idling: 2, moving: 3 } as const;

function vehicleFeatures(vehicles: readonly Vehicle[]): GeoJSON.FeatureCollection {
  const features = vehicles.flatMap(({ id, position, motion }): GeoJSON.Feature[] => {
    const { latitude, longitude, heading_deg, name } = position;
    if (latitude === null || longitude === null) return [];
    const turn = motion === "moving" ? (heading_deg ?? 0) : 0;
    return [
      {
        type: "Feature",
        properties: { id, name, motion, turn, order: order[motion] },
        geometry: { type: "Point", coordinates: [longitude, latitude] },
      },
    ];
  });
  return { type: "FeatureCollection", features };
}

import type { StyleSpecification } from "maplibre-gl";
import atlasUrl from "world-atlas/countries-50m.json" with { type: "file" };
import { cityPoints } from "./cities.ts";
import type { MapTheme } from "./map-theme.ts";
import { type World, worldShapes } from "./world-shapes.ts";

let world: Promise<World> | null = null;

/** Coasts and borders at 1:50 million. A file of the program, like every other. */
function loadWorld(): Promise<World> {
  world ??= fetch(atlasUrl)
    .then((response) => response.json())
    .then(worldShapes);
  return world;
}

/** Fonts of the viewer's system: the map then needs no font files. */
export const mapFonts = ["Helvetica Neue", "Arial", "sans-serif"];

/** The map that comes with the program: calm, and enough to see where in the world a vehicle is. */
export async function worldStyle(theme: MapTheme): Promise<StyleSpecification> {
  const { land, borders } = await loadWorld();
  return {
    version: 8,
    sources: {
      land: { type: "geojson", data: land, maxzoom: 10, attribution: "Coasts and borders: Natural Earth" },
      borders: { type: "geojson", data: borders, maxzoom: 10 },
      grid: { type: "geojson", data: graticule(), maxzoom: 10 },
      cities: { type: "geojson", data: cityPoints() },
    },
    layers: [
      { id: "sea", type: "background", paint: { "background-color": theme.sea } },
      { id: "land", type: "fill", source: "land", paint: { "fill-color": theme.land } },
      { id: "grid", type: "line", source: "grid", paint: { "line-color": theme.grid, "line-width": 0.75 } },
      {
        id: "coast",
        type: "line",
        source: "land",
        paint: { "line-color": theme.border, "line-width": ["interpolate", ["linear"], ["zoom"], 2, 0.5, 8, 1.25] },
      },
      {
        id: "borders",
        type: "line",
        source: "borders",
        paint: { "line-color": theme.border, "line-width": 1, "line-dasharray": [3, 2] },
      },
      {
        id: "city-dots",
        type: "circle",
        source: "cities",
        minzoom: 3,
        paint: { "circle-radius": 2, "circle-color": theme.label, "circle-opacity": 0.7 },
      },
      {
        id: "cities",
        type: "symbol",
        source: "cities",
        minzoom: 3,
        layout: {
          "text-field": ["get", "name"],
          "text-font": mapFonts,
          "text-size": ["interpolate", ["linear"], ["zoom"], 3, 11, 9, 15],
          "text-anchor": "left",
          "text-offset": [0.5, 0],
        },
        paint: { "text-color": theme.label, "text-halo-color": theme.land, "text-halo-width": 1.5 },
      },
    ],
  };
}

const gridStep = 1;

/** A line for every degree: on plain land they tell how far things are apart. */
function graticule(): GeoJSON.MultiLineString {
  const lines: [number, number][][] = [];
  for (let longitude = -180; longitude < 180; longitude += gridStep) {
    lines.push([
      [longitude, -85],
      [longitude, 85],
    ]);
  }
  for (let latitude = -85; latitude <= 85; latitude += gridStep) {
    lines.push([
      [-180, latitude],
      [180, latitude],
    ]);
  }
  return { type: "MultiLineString", coordinates: lines };
}

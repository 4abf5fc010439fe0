import type { BunPlugin } from "bun";
import type { FeatureCollection, Geometry } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { type City, cityPoints } from "./cities.ts";
import { unbrokenLand } from "./unbroken-rings.ts";

/** The file of coasts and borders, as its package has it. */
type Atlas = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>;

export type WorldMap = FeatureCollection<Geometry, City | { readonly kind: "land" | "border" }>;

/** A thousandth of a degree is at most 111 m. The atlas itself, at 1:50 million, is no finer. */
const stepsPerDegree = 1000;

/** Converts the atlas while the page is bundled, so that no browser has to. The page then finds a `WorldMap` at its address. */
export const worldMapPlugin: BunPlugin = {
  name: "world map",
  setup(build) {
    build.onLoad({ filter: /world-atlas\/countries-50m\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify(worldMap(await Bun.file(path).json()), rounded),
      loader: "file",
    }));
  },
};

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * stepsPerDegree) / stepsPerDegree : value;
}

function worldMap(atlas: Atlas): WorldMap {
  const pieces = feature(atlas, atlas.objects.land).features.map(({ geometry }) => geometry);
  const coordinates = pieces.flatMap((piece) => (piece.type === "MultiPolygon" ? piece.coordinates : []));
  const land = unbrokenLand({ type: "MultiPolygon", coordinates });
  const borders = mesh(atlas, atlas.objects.countries, (one, other) => one !== other);
  return {
    type: "FeatureCollection",
    features: [
      { type: "Feature", properties: { kind: "land" }, geometry: land },
      { type: "Feature", properties: { kind: "border" }, geometry: borders },
      ...cityPoints(),
    ],
  };
}

import type { BunPlugin } from "bun";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { cityPoints } from "./cities.ts";
import { type PackedWorld, packWorld } from "./packed-world.ts";
import { unbrokenLand } from "./unbroken-rings.ts";

/** The file of coasts and borders, as its package has it. */
type Atlas = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>;

/** Converts the atlas while the page is bundled, so that no browser has to. The page then finds a `PackedWorld` at its address. */
export const worldMapPlugin: BunPlugin = {
  name: "world map",
  setup(build) {
    build.onLoad({ filter: /world-atlas\/countries-50m\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify(worldMap(await Bun.file(path).json())),
      loader: "file",
    }));
  },
};

function worldMap(atlas: Atlas): PackedWorld {
  const pieces = feature(atlas, atlas.objects.land).features.map(({ geometry }) => geometry);
  const coordinates = pieces.flatMap((piece) => (piece.type === "MultiPolygon" ? piece.coordinates : []));
  const land = unbrokenLand({ type: "MultiPolygon", coordinates });
  const borders = mesh(atlas, atlas.objects.countries, (one, other) => one !== other);
  return packWorld(land, borders, cityPoints());
}

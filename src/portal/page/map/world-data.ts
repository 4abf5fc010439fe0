import type { GeoJSONSource, Map as GlMap } from "maplibre-gl";
import worldUrl from "world-atlas/countries-50m.json" with { type: "file" };
import { type PackedWorld, unpackWorld, type WorldMap } from "../../world/packed-world.ts";

export const worldSource = "world";

let loading: Promise<WorldMap> | null = null;

function loadWorld(): Promise<WorldMap> {
  loading ??= fetch(worldUrl)
    .then((answer) => answer.json())
    .then((packed: PackedWorld) => unpackWorld(packed))
    .catch((cause) => {
      // The next map tries again.
      loading = null;
      throw cause;
    });
  return loading;
}

/** Draws coasts, borders and cities, if the style has them. The streets need not wait for it. */
export async function showWorld(map: GlMap, isCurrent: () => boolean): Promise<void> {
  if (!map.getSource(worldSource)) return;
  const world = await loadWorld().catch(() => null);
  if (world && isCurrent()) map.getSource<GeoJSONSource>(worldSource)?.setData(world);
}

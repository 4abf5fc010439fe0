import type { ExpressionSpecification } from "maplibre-gl";
import { ringParts } from "./cluster-arcs.ts";
import { clusterImage } from "./cluster-ring.ts";
import { motions } from "./motion.ts";
import type { ReadyMap } from "./use-base-map.ts";

/** Vehicles that lie on one another are one sign with a number. */
export const clusterLayer = "vehicle-clusters";

/** Marks nearer than this would hide each other. Thousands need more room, and less time to draw. */
export const clusterRadiusPixels = { few: 22, many: 44 };

const isCluster: ExpressionSpecification = ["has", "point_count"];
export const isSingle: ExpressionSpecification = ["!", isCluster];

/** How many of a cluster are in each state, counted by the map's worker. */
export const clusterCounts = Object.fromEntries(
  motions.map((motion) => [motion, ["+", ["case", ["==", ["get", "motion"], motion], 1, 0]]]),
);

export function addClusterLayer({ map, theme, locale }: ReadyMap, source: string): void {
  // Rounded up: one of a thousand must be seen. Rounded at all, because each ring that differs is a picture in memory.
  const parts = motions.flatMap((motion) => [
    "/",
    ["ceil", ["/", ["*", ringParts, ["get", motion]], ["get", "point_count"]]],
  ]);
  map.addLayer({
    id: clusterLayer,
    type: "symbol",
    source,
    filter: isCluster,
    layout: {
      "icon-image": ["concat", clusterImage(theme), ...parts] as never,
      "icon-size": ["interpolate", ["linear"], ["get", "point_count"], 2, 0.8, 100, 1, 1000, 1.25],
      "icon-allow-overlap": true,
      "text-field": ["number-format", ["get", "point_count"], { locale }],
      "text-font": [...theme.fonts],
      // So that thousands fit into the ring.
      "text-size": ["step", ["get", "point_count"], 13, 1000, 11.5, 10_000, 10],
      "text-allow-overlap": true,
    },
    paint: { "text-color": theme.text },
  });
}

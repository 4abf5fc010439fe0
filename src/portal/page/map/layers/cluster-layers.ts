import type { ExpressionSpecification, GeoJSONSource, Map as GlMap, MapGeoJSONFeature } from "maplibre-gl";
import type { Place } from "../../../../domain/geometry/distance.ts";
import { motions } from "../../common/vehicles/motion.ts";
import { isPile, ringParts } from "./clusters.ts";
import { clusterKind } from "./marks.ts";
import type { ReadyMap } from "./use-base-map.ts";
import { showAll } from "./use-camera.ts";

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
      "icon-image": ["concat", `${clusterKind}/${theme.name}`, ...parts] as never,
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

/** Of more, the map is only brought nearer. Nobody reads a longer list. */
const maxListed = 500;
const closestZoom = 18;
const easeMs = 500;

/** Brings the map nearer to a cluster. If nothing would come apart, returns the ids of what is piled up there. */
export async function openCluster(map: GlMap, feature: MapGeoJSONFeature): Promise<readonly string[] | null> {
  const source = map.getSource<GeoJSONSource>(feature.source);
  const { cluster_id, point_count } = feature.properties;
  if (!source || feature.geometry.type !== "Point") return null;
  if (point_count > maxListed) {
    const zoom = await source.getClusterExpansionZoom(cluster_id);
    map.easeTo({ center: feature.geometry.coordinates as [number, number], zoom, duration: easeMs });
    return null;
  }
  const leaves = await source.getClusterLeaves(cluster_id, maxListed, 0);
  const places = leaves.flatMap(({ geometry, properties }): (Place & { readonly id: string })[] => {
    if (geometry.type !== "Point") return [];
    const [longitude = 0, latitude = 0] = geometry.coordinates;
    return [{ id: properties?.id, latitude, longitude }];
  });
  if (isPile(places)) return places.map(({ id }) => id);
  showAll(map, places, closestZoom, { animate: true, duration: easeMs });
  return null;
}

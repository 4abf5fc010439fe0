import type { GeoJSONSource, Map as GlMap, MapGeoJSONFeature } from "maplibre-gl";
import type { Place } from "../../../domain/geometry/distance.ts";
import { showAll } from "./bounds.ts";
import { isPile } from "./pile.ts";
import { vehicleSource } from "./vehicle-layers.ts";

/** Of more, the map is only brought nearer. Nobody reads a longer list. */
const maxListed = 500;
const closestZoom = 18;
const easeMs = 500;

/** Brings the map nearer to a cluster. If nothing would come apart, returns the ids of what is piled up there. */
export async function openCluster(map: GlMap, feature: MapGeoJSONFeature): Promise<readonly string[] | null> {
  const source = map.getSource<GeoJSONSource>(vehicleSource);
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

import { type Map as GlMap, LngLatBounds } from "maplibre-gl";

interface Place {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Room around what is shown, in pixels. */
const padding = 56;

/** Moves the map so that all of the places can be seen. */
export function showAll(map: GlMap, places: readonly Place[], maxZoom: number): void {
  const bounds = new LngLatBounds();
  for (const { latitude, longitude } of places) {
    if (latitude !== null && longitude !== null) bounds.extend([longitude, latitude]);
  }
  if (!bounds.isEmpty()) map.fitBounds(bounds, { padding, maxZoom, animate: false });
}

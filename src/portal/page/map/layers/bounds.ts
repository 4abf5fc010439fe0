import { type Map as GlMap, LngLatBounds } from "maplibre-gl";
import { type Place, placesTogether } from "./camera.ts";

const padding = 56;

export function showAll(
  map: GlMap,
  places: readonly Place[],
  maxZoom: number,
  motion: { readonly animate: boolean; readonly duration?: number } = { animate: false },
): void {
  const bounds = new LngLatBounds();
  for (const { latitude, longitude } of places) {
    if (latitude !== null && longitude !== null) bounds.extend([longitude, latitude]);
  }
  if (!bounds.isEmpty()) map.fitBounds(bounds, { padding, maxZoom, ...motion });
}

/** Shows most of a fleet: one vehicle that was shipped abroad must not make the others a single dot. */
export function showMost(map: GlMap, places: readonly Place[], maxZoom: number): void {
  showAll(map, placesTogether(places), maxZoom);
}

import { type Map as GlMap, LngLatBounds } from "maplibre-gl";

interface Place {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Room around what is shown, in pixels. */
const padding = 56;

/** Moves the map so that all of the places can be seen. */
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

/** Fewer than these are all shown, wherever they are. */
const fewPlaces = 10;
const coreShare = 0.95;

/** The same for a fleet: one vehicle that was shipped abroad must not make the others a single dot. */
export function showMost(map: GlMap, places: readonly Place[], maxZoom: number): void {
  const known = places.filter(({ latitude, longitude }) => latitude !== null && longitude !== null);
  const shownCount = known.length < fewPlaces ? known.length : Math.ceil(known.length * coreShare);
  const middle = { latitude: median(known, "latitude"), longitude: median(known, "longitude") };
  const away = ({ latitude, longitude }: Place) =>
    Math.abs((latitude ?? 0) - middle.latitude) + Math.abs((longitude ?? 0) - middle.longitude);
  const farthest = Float64Array.from(known, away).sort()[shownCount - 1] ?? 0;
  const near = known.filter((place) => away(place) <= farthest);
  showAll(map, near, maxZoom);
}

function median(places: readonly Place[], of: keyof Place): number {
  const values = Float64Array.from(places, (place) => place[of] ?? 0).sort();
  return values[Math.floor(values.length / 2)] ?? 0;
}

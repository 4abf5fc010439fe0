import { type Map as GlMap, LngLatBounds } from "maplibre-gl";
import { type RefObject, useEffect, useRef } from "react";
import { isInSight, offsetToFree, placesTogether, type VehiclePlace } from "./camera.ts";
import type { MapVehicle } from "./vehicle.ts";

interface CameraOptions {
  readonly map: GlMap | null;
  readonly focused: MapVehicle | null;
  /** What lies over the map meanwhile. */
  readonly card: RefObject<HTMLElement | null>;
  readonly isFollowing: boolean;
  readonly onPan: () => void;
  readonly closeZoom: number;
}

const easeMs = 600;

/** Moves the map to the focused vehicle, beside its card; and with the vehicle, until a person moves the map. */
export function useCamera({ map, focused, card, isFollowing, onPan, closeZoom }: CameraOptions): void {
  const hasPanned = useRef(false);
  const place = useRef<[number, number] | null>(null);
  /** The vehicle that the map was moved to last. */
  const shownId = useRef<string | null>(null);

  useEffect(() => {
    if (!map) return;
    const pan = () => {
      hasPanned.current = true;
      onPan();
    };
    const { dataset } = map.getContainer();
    const subscriptions = [
      // For tests: nothing else shows where the camera looks.
      map.on("moveend", () => {
        const point = place.current && map.project(place.current);
        dataset.focusedAt = point ? `${Math.round(point.x)},${Math.round(point.y)}` : "";
      }),
      map.on("dragstart", pan),
      map.on("movestart", ({ originalEvent }) => {
        if (originalEvent instanceof KeyboardEvent && originalEvent.key.startsWith("Arrow")) pan();
      }),
    ];
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [map, onPan]);

  const id = focused?.id ?? null;
  const latitude = focused?.position.latitude ?? null;
  const longitude = focused?.position.longitude ?? null;
  useEffect(() => {
    if (id === null) shownId.current = null;
    place.current = latitude === null || longitude === null ? null : [longitude, latitude];
    if (!map || id === null || latitude === null || longitude === null) return;
    const isNew = shownId.current !== id;
    if (isNew) hasPanned.current = false;
    shownId.current = id;
    const center: [number, number] = [longitude, latitude];
    const box = map.getContainer().getBoundingClientRect();
    const cover = card.current?.getBoundingClientRect() ?? null;
    const isFar = map.getZoom() < closeZoom;
    const inSight = isInSight(box, cover, map.project(center));
    const isLost = isNew ? isFar || !inSight : !inSight && !hasPanned.current;
    if (!isLost && !isFollowing) return;
    const zoom = isNew && isFar ? closeZoom : map.getZoom();
    map.easeTo({ center, zoom, offset: offsetToFree(box, cover), duration: easeMs });
  }, [map, id, latitude, longitude, isFollowing, card, closeZoom]);
}

const padding = 56;

export function showAll(
  map: GlMap,
  places: readonly VehiclePlace[],
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
export function showMost(map: GlMap, places: readonly VehiclePlace[], maxZoom: number): void {
  showAll(map, placesTogether(places), maxZoom);
}

import type { Map as GlMap } from "maplibre-gl";
import { useEffect, useRef } from "react";
import type { SharedVehicle } from "../../both-sides/contract/shares.ts";
import { isInSight } from "../map/layers/camera.ts";
import { markName } from "../map/layers/marks.ts";
import { type ReadyMap, useBaseMap, useCloseZoom } from "../map/layers/use-base-map.ts";
import { showAll } from "../map/layers/use-camera.ts";
import { MapFrame } from "../map/map-frame.tsx";
import { collection, lineFeature, pointFeature, showFeatures } from "../map/style/features.ts";
import { lowestNames } from "../map/style/world-style.ts";
import { useTexts } from "../texts/use-texts.ts";
import { linesOf } from "./track-lines.ts";
import type { Tracks } from "./use-tracks.ts";
import { sharedVehicleState } from "./vehicle-state.ts";

interface ShareMapProps {
  readonly vehicles: readonly SharedVehicle[];
  readonly nameOf: (vehicle: SharedVehicle) => string;
  readonly tracks: Tracks;
  readonly now: number;
  /** The vehicle to move to; another object moves there again. */
  readonly wanted: { readonly vehicle: number } | null;
}

export default function ShareMap({ vehicles, nameOf, tracks, now, wanted }: ShareMapProps) {
  const { share: words } = useTexts();
  const base = useBaseMap();
  const { ready } = base;
  const closeZoom = useCloseZoom();
  useEffect(() => {
    if (ready) addLayers(ready);
  }, [ready]);
  useEffect(() => {
    if (ready)
      showFeatures(
        ready.map,
        "tracks",
        [...tracks.values()].flatMap(linesOf).map((line) => lineFeature(line)),
      );
  }, [ready, tracks]);
  useEffect(() => {
    if (ready)
      showFeatures(
        ready.map,
        "shared",
        vehicles.flatMap((vehicle) => markOf(vehicle, nameOf(vehicle), now)),
      );
  }, [ready, vehicles, nameOf, now]);
  useView(ready?.map ?? null, vehicles, tracks, closeZoom);
  const place = vehicles.find(({ vehicle }) => vehicle === wanted?.vehicle)?.position ?? null;
  const latest = useRef({ place, tracks });
  latest.current = { place, tracks };
  useEffect(() => {
    const { place, tracks } = latest.current;
    if (!ready || wanted === null) return;
    const { map } = ready;
    if (place === null) showAll(map, placesOf(new Map([[0, tracks.get(wanted.vehicle) ?? []]])), closeZoom);
    else map.easeTo({ center: [place.longitude, place.latitude], zoom: Math.max(map.getZoom(), closeZoom) });
  }, [ready, wanted, closeZoom]);
  return <MapFrame base={base} instead={words.withoutMap} />;
}

/** Shows everything when it first comes; then follows a single vehicle, until a person moves the map themselves. */
function useView(map: GlMap | null, vehicles: readonly SharedVehicle[], tracks: Tracks, closestZoom: number): void {
  const hasPanned = useRef(false);
  useEffect(() => {
    const subscription = map?.on("dragstart", () => {
      hasPanned.current = true;
    });
    return () => subscription?.unsubscribe();
  }, [map]);
  const positions = vehicles.flatMap(({ position }) => (position === null ? [] : [position]));
  const places = [...positions, ...placesOf(tracks)];
  const hasPlaces = places.length > 0;
  const hasTrack = places.length > positions.length;
  const latest = useRef(places);
  latest.current = places;
  useEffect(() => {
    if (map && hasPlaces && !hasPanned.current) showAll(map, latest.current, hasTrack ? closestZoom : closestZoom - 1);
  }, [map, hasPlaces, hasTrack, closestZoom]);
  const [only] = positions.length === 1 ? positions : [];
  const [latitude, longitude] = [only?.latitude ?? null, only?.longitude ?? null];
  useEffect(() => {
    if (!map || latitude === null || longitude === null || hasPanned.current) return;
    const center: [number, number] = [longitude, latitude];
    if (!isInSight(map.getContainer().getBoundingClientRect(), null, map.project(center))) map.easeTo({ center });
  }, [map, latitude, longitude]);
}

function placesOf(tracks: Tracks) {
  return [...tracks.values()].flatMap((points) => points.map(([, longitude, latitude]) => ({ longitude, latitude })));
}

function markOf(vehicle: SharedVehicle, name: string, now: number) {
  const { position } = vehicle;
  const state = sharedVehicleState(vehicle, now);
  if (position === null || state === null) return [];
  const turn = state.motion === "moving" ? (position.heading_deg ?? 0) : 0;
  return [pointFeature([position.longitude, position.latitude], { name, motion: state.motion, turn })];
}

function addLayers({ map, theme }: ReadyMap): void {
  for (const source of ["tracks", "shared"]) map.addSource(source, { type: "geojson", data: collection([]) });
  const line = (id: string, colour: string, width: number) =>
    map.addLayer(
      {
        id,
        type: "line",
        source: "tracks",
        layout: { "line-cap": "round", "line-join": "round" },
        paint: { "line-color": colour, "line-width": width },
      },
      // A style of the settings has no such layer.
      map.getLayer(lowestNames) && lowestNames,
    );
  line("track-casing", theme.halo, 7);
  line("track", theme.route, 3.5);
  map.addLayer({
    id: "shared",
    type: "symbol",
    source: "shared",
    layout: {
      "icon-image": ["concat", markName(theme, ""), ["get", "motion"]],
      "icon-size": 1.3,
      "icon-rotate": ["get", "turn"],
      "icon-rotation-alignment": "map",
      "icon-allow-overlap": true,
      "text-field": ["get", "name"],
      "text-font": [...theme.fonts],
      "text-size": 13,
      "text-offset": [0, 1.4],
      "text-anchor": "top",
      "text-optional": true,
    },
    paint: { "text-color": theme.text, "text-halo-color": theme.halo, "text-halo-width": 1.75 },
  });
}

import type { MapLayerMouseEvent } from "maplibre-gl";
import { useEffect, useRef } from "react";
import type { Geofence } from "../api/records.ts";
import { BaseMapNote } from "./base-map-note.tsx";
import { showMost } from "./bounds.ts";
import { addFenceLayers, showFences } from "./fence-layers.ts";
import { NoMap } from "./no-map.tsx";
import { useBaseMap } from "./use-base-map.ts";
import type { Vehicle } from "./vehicle.ts";
import { addVehicleLayers, showMarks, showSelected, vehicleLayer } from "./vehicle-layers.ts";
import { type MarksById, toMarks } from "./vehicle-marks.ts";

interface LiveMapProps {
  readonly vehicles: readonly Vehicle[];
  readonly fences: readonly Geofence[] | null;
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
}

/** Close enough to see streets on a map that has some. */
const closestZoom = 13;

export default function LiveMap({ vehicles, fences, selectedId, onSelect }: LiveMapProps) {
  const container = useRef<HTMLDivElement>(null);
  const { ready, isUnsupported, problem } = useBaseMap(container);
  const hasBeenPlaced = useRef(false);
  /** What is drawn, and on which map: after a change of style the map is empty again. */
  const drawn = useRef<{ readonly on: typeof ready; readonly marks: MarksById }>({ on: null, marks: new Map() });
  const shown = useRef(vehicles);
  shown.current = vehicles;

  useEffect(() => {
    if (!ready) return;
    const { map, theme } = ready;
    addFenceLayers(map, theme);
    addVehicleLayers(map, theme);
    const onClick = ({ features }: MapLayerMouseEvent) => onSelect(features?.[0]?.properties.id ?? null);
    const point = () => {
      map.getCanvas().style.cursor = "pointer";
    };
    const unpoint = () => {
      map.getCanvas().style.cursor = "";
    };
    const subscriptions = [
      map.on("click", vehicleLayer, onClick),
      map.on("mouseenter", vehicleLayer, point),
      map.on("mouseleave", vehicleLayer, unpoint),
    ];
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [ready, onSelect]);

  useEffect(() => {
    if (!ready) return;
    const marks = toMarks(vehicles);
    showMarks(ready.map, drawn.current.on === ready ? drawn.current.marks : new Map(), marks);
    drawn.current = { on: ready, marks };
    if (!hasBeenPlaced.current && vehicles.length > 0) {
      showMost(
        ready.map,
        vehicles.map(({ position }) => position),
        closestZoom,
      );
      hasBeenPlaced.current = true;
    }
  }, [ready, vehicles]);

  useEffect(() => {
    if (ready && fences) showFences(ready.map, fences);
  }, [ready, fences]);

  useEffect(() => {
    if (!ready) return;
    showSelected(ready.map, selectedId);
    const selected = shown.current.find(({ id }) => id === selectedId)?.position;
    if (!selected || selected.latitude === null || selected.longitude === null) return;
    const center: [number, number] = [selected.longitude, selected.latitude];
    if (!ready.map.getBounds().contains(center)) ready.map.easeTo({ center, duration: 600 });
  }, [ready, selectedId]);

  if (isUnsupported) return <NoMap>The list beside it shows every vehicle.</NoMap>;
  return (
    <>
      <div ref={container} className="map" data-map={ready ? "ready" : "loading"} data-theme={ready?.theme.name} />
      <BaseMapNote problem={problem} />
    </>
  );
}

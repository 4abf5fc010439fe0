import type { MapLayerMouseEvent, MapMouseEvent } from "maplibre-gl";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Geofence } from "../api/records.ts";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";
import { BaseMapNote } from "./base-map-note.tsx";
import { showMost } from "./bounds.ts";
import { openCluster } from "./cluster-click.ts";
import { clusterLayer } from "./cluster-layers.ts";
import { type ClusterTip, ClusterTipView } from "./cluster-tip.tsx";
import { addFenceLayers, showFences } from "./fence-layers.ts";
import { NoMap } from "./no-map.tsx";
import { addTrailLayer, showTrail } from "./trail-layers.ts";
import { useBaseMap } from "./use-base-map.ts";
import { useCamera } from "./use-camera.ts";
import { useTrail } from "./use-trail.ts";
import type { Vehicle } from "./vehicle.ts";
import { addVehicleLayers, selectedMark, showMarks, showSelected, vehicleLayer } from "./vehicle-layers.ts";
import { type MarksById, toMarks } from "./vehicle-marks.ts";

interface LiveMapProps {
  readonly vehicles: readonly Vehicle[];
  readonly fences: readonly Geofence[] | null;
  /** Perhaps not among the vehicles that are shown. */
  readonly selected: Vehicle | null;
  readonly onSelect: (id: string) => void;
  /** Vehicles in one place that were clicked on. */
  readonly onPile: (ids: readonly string[]) => void;
  /** What the card is about: the selected vehicle, or one of a pile. */
  readonly focused: Vehicle | null;
  readonly isFollowing: boolean;
  readonly onPan: () => void;
  readonly card: RefObject<HTMLElement | null>;
}

/** For a whole fleet. */
const closestZoom = 13;
/** Where streets are told apart; without any, where the next town is still in view. */
const closeZoom = { withStreets: 15, withoutStreets: 11 };
/** A finger is wider than a mark. */
const fingerPixels = 5;

const clickable = [selectedMark, vehicleLayer, clusterLayer];

export default function LiveMap(props: LiveMapProps) {
  const { vehicles, fences, selected, focused, isFollowing, onPan, card } = props;
  const { map: words } = useTexts();
  const container = useRef<HTMLDivElement>(null);
  const { style, tiles } = useSession().map;
  const hasStreets = style !== null || tiles !== null;
  const { ready, isUnsupported, problem } = useBaseMap(container);
  const hasBeenPlaced = useRef(false);
  /** What is drawn, and on which map: after a change of style the map is empty again. */
  const drawn = useRef<{ readonly on: typeof ready; readonly marks: MarksById }>({ on: null, marks: new Map() });
  const [tip, setTip] = useState<ClusterTip | null>(null);
  const handlers = useRef(props);
  handlers.current = props;

  useEffect(() => {
    if (!ready) return;
    const { map, theme } = ready;
    addFenceLayers(map, theme);
    addTrailLayer(map, theme);
    addVehicleLayers(ready);
    const found = ({ point: { x, y } }: MapMouseEvent) => {
      const corner = (by: number): [number, number] => [x + by, y + by];
      return map.queryRenderedFeatures([corner(-fingerPixels), corner(fingerPixels)], { layers: clickable })[0];
    };
    const onClick = async (event: MapMouseEvent) => {
      const feature = found(event);
      if (!feature) return;
      if (feature.layer.id !== clusterLayer) return handlers.current.onSelect(feature.properties.id);
      // A poll may have made other clusters meanwhile: then the next click finds one of these.
      const pile = await openCluster(map, feature).catch(() => null);
      if (pile) handlers.current.onPile(pile);
    };
    const point = (cursor: string) => () => {
      map.getCanvas().style.cursor = cursor;
    };
    const subscriptions = [
      map.on("click", onClick),
      map.on("mouseenter", clickable, point("pointer")),
      map.on("mouseleave", clickable, point("")),
      map.on("mousemove", clusterLayer, ({ point: { x, y }, features }: MapLayerMouseEvent) => {
        const counts = features?.[0]?.properties as ClusterTip["counts"] | undefined;
        setTip(counts ? { x, y, counts } : null);
      }),
      map.on("mouseleave", clusterLayer, () => setTip(null)),
      map.on("movestart", () => setTip(null)),
    ];
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [ready]);

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

  const selectedMarks = useMemo(() => toMarks(selected ? [selected] : []), [selected]);
  useEffect(() => {
    if (ready) showSelected(ready.map, selectedMarks, selected?.id ?? null);
  }, [ready, selectedMarks, selected?.id]);

  const trail = useTrail(selected?.position ?? null);
  useEffect(() => {
    if (ready) showTrail(ready.map, trail);
  }, [ready, trail]);

  useCamera({
    map: ready?.map ?? null,
    focused,
    card,
    isFollowing,
    onPan,
    closeZoom: hasStreets ? closeZoom.withStreets : closeZoom.withoutStreets,
  });

  if (isUnsupported) return <NoMap>{words.listShowsAll}</NoMap>;
  return (
    <>
      <div ref={container} className="map" data-map={ready ? "ready" : "loading"} data-theme={ready?.theme.name} />
      {tip && <ClusterTipView tip={tip} />}
      <BaseMapNote problem={problem} />
    </>
  );
}

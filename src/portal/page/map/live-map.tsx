import type { MapLayerMouseEvent, MapMouseEvent } from "maplibre-gl";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Geofence } from "../../both-sides/contract/data.ts";
import { motions, type ShownMotion } from "../common/vehicles/motion.ts";
import { useTexts } from "../texts/use-texts.ts";
import { clusterLayer, openCluster } from "./layers/cluster-layers.ts";
import { addFenceLayers, showFences } from "./layers/fence-layers.ts";
import { useBaseMap, useCloseZoom } from "./layers/use-base-map.ts";
import { showMost, useCamera } from "./layers/use-camera.ts";
import { addTrailLayer, showTrail, useTrail } from "./layers/use-trail.ts";
import type { MapVehicle } from "./layers/vehicle.ts";
import { addVehicleLayers, selectedMark, showSelected, useMarks, vehicleLayer } from "./layers/vehicle-layers.ts";
import { MapFrame } from "./map-frame.tsx";
import { MotionMark } from "./motion-mark.tsx";

interface LiveMapProps {
  readonly vehicles: readonly MapVehicle[];
  readonly fences: readonly Geofence[] | null;
  /** Perhaps not among the vehicles that are shown. */
  readonly selected: MapVehicle | null;
  readonly onSelect: (id: string) => void;
  readonly onPile: (ids: readonly string[]) => void;
  /** What the card is about: the selected vehicle, or one of a pile. */
  readonly focused: MapVehicle | null;
  readonly isFollowing: boolean;
  readonly onPan: () => void;
  readonly card: RefObject<HTMLElement | null>;
}

/** For a whole fleet. */
const closestZoom = 13;
/** A finger is wider than a mark. */
const fingerPixels = 5;

const clickable = [selectedMark, vehicleLayer, clusterLayer];

export default function LiveMap(props: LiveMapProps) {
  const { vehicles, fences, selected, focused, isFollowing, onPan, card } = props;
  const { map: words } = useTexts();
  const base = useBaseMap();
  const { ready } = base;
  const hasBeenPlaced = useRef(false);
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

  useMarks(ready, vehicles);
  useEffect(() => {
    if (!ready || hasBeenPlaced.current || vehicles.length === 0) return;
    const places = vehicles.map(({ position }) => position);
    showMost(ready.map, places, closestZoom);
    hasBeenPlaced.current = true;
  }, [ready, vehicles]);

  useEffect(() => {
    if (ready && fences) showFences(ready.map, fences);
  }, [ready, fences]);

  useEffect(() => {
    if (ready) showSelected(ready.map, selected);
  }, [ready, selected]);

  const trail = useTrail(selected?.position ?? null);
  useEffect(() => {
    if (ready) showTrail(ready.map, trail);
  }, [ready, trail]);

  useCamera({ map: ready?.map ?? null, focused, card, isFollowing, onPan, closeZoom: useCloseZoom() });

  return (
    <MapFrame base={base} instead={words.listShowsAll}>
      {tip && <ClusterTipView tip={tip} />}
    </MapFrame>
  );
}

/** How many of a cluster are in which state, beside the pointer. */
interface ClusterTip {
  readonly x: number;
  readonly y: number;
  readonly counts: Readonly<Record<ShownMotion, number>>;
}

/** Hidden from screen readers: the list says it. */
function ClusterTipView({ tip: { x, y, counts } }: { readonly tip: ClusterTip }) {
  const { show } = useTexts();
  return (
    <div className="cluster-tip flex gap-3 fine digits box" style={{ left: x, top: y }} aria-hidden="true">
      {motions
        .filter((motion) => counts[motion] > 0)
        .map((motion) => (
          <span key={motion} className="middle gap-1">
            <MotionMark motion={motion} />
            {show.number(counts[motion])}
          </span>
        ))}
    </div>
  );
}

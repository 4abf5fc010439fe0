import type { Map as GlMap } from "maplibre-gl";
import { useEffect, useRef, useState } from "react";
import type { LatestPosition } from "../../../both-sides/contract/data.ts";
import { collect } from "../../api/pages.ts";
import { collection, lineFeature, showFeatures } from "../style/features.ts";
import type { MapTheme } from "../style/map-theme.ts";
import { drivenLines, longerTrail, type TrailPoint, trailMs } from "./trail.ts";

/** A position each second for an hour. */
const maxPoints = 4000;
/** A newer position this soon is appended as it is; after a longer pause there may be others in between. */
const soonMs = 30_000;

interface Trail {
  readonly id: string | null;
  readonly points: readonly TrailPoint[];
}

const none: Trail = { id: null, points: [] };

/** The last hour of a vehicle. It is read once, and grows with the positions that the page polls anyway. */
export function useTrail(position: LatestPosition | null): readonly TrailPoint[] {
  const [trail, setTrail] = useState<Trail>(none);
  const known = useRef<Trail>(none);
  const newest = useRef(position);
  newest.current = position;
  const id = position?.device_id ?? null;
  const at = position?.recorded_at ?? null;
  useEffect(() => {
    const extend = (further: readonly TrailPoint[]) => {
      const { points } = known.current.id === id ? known.current : none;
      known.current = { id, points: longerTrail(points, further) };
      setTrail(known.current);
    };
    if (id === null || at === null || newest.current === null) {
      known.current = none;
      setTrail(none);
      return;
    }
    const last = known.current.id === id ? known.current.points.at(-1) : undefined;
    const gapMs = last ? Date.parse(at) - Date.parse(last.recorded_at) : Number.POSITIVE_INFINITY;
    if (gapMs <= soonMs) {
      extend([newest.current]);
      return;
    }
    const abort = new AbortController();
    const from = new Date(Date.parse(at) - Math.min(gapMs, trailMs)).toISOString();
    const to = new Date(Date.parse(at) + 1).toISOString();
    collect("positions/history", { device_id: id, from, to }, maxPoints, abort.signal).then(
      ({ rows }) => extend(rows),
      // Without its trail the vehicle is shown all the same.
      () => {},
    );
    return () => abort.abort();
  }, [id, at]);
  return trail.id === id ? trail.points : none.points;
}

const source = "trail";

/** Fades towards where the vehicle was an hour ago. */
export function addTrailLayer(map: GlMap, { route, halo }: MapTheme): void {
  map.addSource(source, { type: "geojson", lineMetrics: true, data: collection([]) });
  const layout = { "line-cap": "round", "line-join": "round" } as const;
  const fading = ["interpolate", ["linear"], ["line-progress"], 0, `${route}33`, 0.25, route] as never;
  const casing = { "line-width": 7, "line-color": halo, "line-opacity": 0.6 };
  map.addLayer({ id: "trail-casing", type: "line", source, layout, paint: casing });
  map.addLayer({ id: "trail", type: "line", source, layout, paint: { "line-width": 4, "line-gradient": fading } });
}

export function showTrail(map: GlMap, points: readonly TrailPoint[]): void {
  showFeatures(
    map,
    source,
    drivenLines(points).map((line) => lineFeature(line)),
  );
}

import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { collect } from "../api/pages.ts";
import type { Geofence } from "../api/records.ts";
import { useNow } from "../common/clock.ts";
import { LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { navigate, useRoute } from "../common/route.tsx";
import { useHeading } from "../common/use-heading.ts";
import { useLoad } from "../common/use-load.ts";
import type { Motion } from "./motion.ts";
import { NoVehicles } from "./no-vehicles.tsx";
import { useLivePositions } from "./use-live-positions.ts";
import { matching, toVehicles, type Vehicle } from "./vehicle.ts";
import { VehicleDetails } from "./vehicle-details.tsx";
import { VehicleList } from "./vehicle-list.tsx";

const LiveMap = lazy(() => import("./live-map.tsx"));

/** More fences than a screen can show. */
const maxFences = 5000;

const loadFences = (signal: AbortSignal) => collect<Geofence>("geofences", {}, maxFences, signal);

export function MapPage() {
  const heading = useHeading("Map");
  const { query } = useRoute();
  const { positions, error } = useLivePositions();
  const { loaded: fences } = useLoad(loadFences);
  const now = useNow(30_000);
  const [search, setSearch] = useState("");
  const [motion, setMotion] = useState<Motion | null>(null);
  const before = useRef<readonly Vehicle[]>([]);
  const vehicles = useMemo(() => toVehicles(positions ?? [], now, before.current), [positions, now]);
  before.current = vehicles;
  const shown = useMemo(() => matching(vehicles, search, motion), [vehicles, search, motion]);
  // The rows are rendered in pieces between frames, so that the map does not stop meanwhile.
  const listed = useDeferredValue(shown);
  const counted = useDeferredValue(vehicles);
  const filter = useMemo(() => ({ search, motion, setSearch, setMotion }), [search, motion]);
  const selectedId = query.get("vehicle");
  const selected = vehicles.find(({ id }) => id === selectedId) ?? null;
  const select = useCallback(
    (id: string | null) => navigate(id === null ? "/map" : `/map?vehicle=${id}`, { replace: true }),
    [],
  );
  const close = useCallback(() => {
    // Back to where the keyboard came from.
    document.querySelector<HTMLElement>(".vehicle[aria-current]")?.focus();
    select(null);
  }, [select]);
  const fenceRows = fences.data?.rows;
  return (
    <div className="map-view">
      <section className="map-side" aria-labelledby="map-heading">
        <h1 id="map-heading" ref={heading} tabIndex={-1}>
          Vehicles
        </h1>
        {error !== null && <ErrorNotice error={error} />}
        {positions === null && error === null && <LoadingState label="Looking for your vehicles" />}
        {positions !== null && vehicles.length === 0 && <NoVehicles />}
        {vehicles.length > 0 && (
          <VehicleList
            all={counted}
            shown={listed}
            now={now}
            isLive={error === null}
            filter={filter}
            selectedId={selectedId}
            onSelect={select}
          />
        )}
      </section>
      <section className="map-stage" aria-label="Map of the vehicles">
        <Suspense fallback={<LoadingState label="Loading the map" />}>
          <LiveMap vehicles={shown} fences={fenceRows ?? null} selectedId={selectedId} onSelect={select} />
        </Suspense>
        {selected && <VehicleDetails vehicle={selected} now={now} fences={fenceRows ?? []} onClose={close} />}
      </section>
    </div>
  );
}

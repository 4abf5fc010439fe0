import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { announce } from "../common/elements/announce.tsx";
import { ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { loadable } from "../common/loading/use-load.ts";
import { useAddress } from "../common/navigation/address.ts";
import { useHeading } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useNow } from "../common/reading/clock.ts";
import { useSession } from "../common/session.ts";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";
import { type MapVehicle, matching, toVehicles } from "./layers/vehicle.ts";
import { PileCard, VehicleCard } from "./map-cards.tsx";
import { useLivePositions, useStopStarts, useTripStarts } from "./use-live-positions.ts";
import { useMapFilter } from "./use-map-filter.ts";
import { MapVehicleList, NoVehicles } from "./vehicle-list.tsx";

const importMap = () => import("./live-map.tsx");
const LiveMap = loadable(importMap);

export default function MapPage() {
  const { map: words, shell, show } = useTexts();
  const heading = useHeading(shell.map);
  const { user, map } = useSession();
  const lacksStreets = user.role === "owner" && map.style === null && map.tiles === null && map.problem === null;
  const address = useAddress();
  const latestAddress = useRef(address);
  latestAddress.current = address;
  const { positions, error } = useLivePositions();
  const fences = useFences();
  const now = useNow(30_000);
  const filter = useMapFilter();
  const before = useRef<readonly MapVehicle[]>([]);
  const vehicles = useMemo(
    () => toVehicles(positions ?? [], now, show.compare, before.current),
    [positions, now, show.compare],
  );
  before.current = vehicles;
  const shown = useMemo(() => matching(vehicles, filter), [vehicles, filter]);
  const tripStarts = useTripStarts(vehicles);
  const stopStarts = useStopStarts(vehicles);
  const facts = useMemo(
    () => ({ now, fences, starts: new Map([...tripStarts, ...stopStarts]) }),
    [now, fences, tripStarts, stopStarts],
  );
  // The rows are rendered in pieces between frames, so that the map does not stop meanwhile; the first ones at once.
  const [lateShown, lateVehicles] = [useDeferredValue(shown), useDeferredValue(vehicles)];
  const listed = lateVehicles.length === 0 ? shown : lateShown;
  const counted = lateVehicles.length === 0 ? vehicles : lateVehicles;
  const isMapDue = useMapDue(positions !== null || error !== null);
  const selectedId = address.get("vehicle");
  const selected = vehicles.find(({ id }) => id === selectedId) ?? null;
  const [pile, setPile] = useState<ReadonlySet<string>>(new Set());
  const piled = useMemo(() => vehicles.filter(({ id }) => pile.has(id)), [vehicles, pile]);
  const [isFollowing, setFollowing] = useState(false);
  const card = useRef<HTMLElement>(null);

  const select = useCallback((id: string | null) => {
    setPile(new Set());
    setFollowing(false);
    latestAddress.current.set({ vehicle: id });
  }, []);
  const openPile = useCallback(
    (ids: readonly string[]) => {
      select(null);
      setPile(new Set(ids));
    },
    [select],
  );
  const close = useCallback(() => {
    // Back to where the keyboard came from: the row, or the map if it is not in the list.
    const row = document.querySelector<HTMLElement>(".map-side .vehicle[aria-current]");
    (row ?? document.querySelector<HTMLElement>(".maplibregl-canvas"))?.focus();
    select(null);
  }, [select]);
  const stopFollowing = useCallback(() => setFollowing(false), []);
  const follow = (isOn: boolean) => {
    setFollowing(isOn);
    if (isOn && selected) announce(words.nowFollowing(selected.position.name));
  };
  return (
    <div className="map-view grid">
      <section className="map-side" aria-labelledby="map-heading">
        <h1 id="map-heading" ref={heading} tabIndex={-1}>
          {words.heading}
        </h1>
        {error !== null && <ErrorNotice error={error} />}
        {positions === null && error === null && <LoadingState label={words.looking} />}
        {positions !== null && vehicles.length === 0 && <NoVehicles />}
        {vehicles.length > 0 && (
          <MapVehicleList
            all={counted}
            shown={listed}
            facts={facts}
            isLive={error === null}
            filter={filter}
            selectedId={selectedId}
            onSelect={select}
          />
        )}
      </section>
      <section className="map-stage" aria-label={words.stage}>
        <Suspense fallback={<LoadingState label={words.loading} />}>
          {!isMapDue && <LoadingState label={words.loading} />}
          {isMapDue && (
            <LiveMap
              vehicles={shown}
              fences={fences?.rows ?? null}
              selected={selected}
              onSelect={select}
              onPile={openPile}
              focused={selected ?? piled[0] ?? null}
              isFollowing={isFollowing}
              onPan={stopFollowing}
              card={card}
            />
          )}
        </Suspense>
        {lacksStreets && (
          <Link to="/fleet/streets" className="no-streets fine">
            {words.noStreets}
          </Link>
        )}
        {selected && (
          <VehicleCard
            vehicle={selected}
            facts={facts}
            card={card}
            isFollowing={isFollowing}
            onFollow={follow}
            onClose={close}
          />
        )}
        {piled.length > 0 && <PileCard vehicles={piled} facts={facts} card={card} onSelect={select} onClose={close} />}
      </section>
    </div>
  );
}

/**
 * Whether the list has been painted, or there is none. To begin a map takes a second of the main thread, and more without a
 * graphics card; its script loads meanwhile.
 */
function useMapDue(isListReady: boolean): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    // Whoever shows the map says that it cannot be loaded.
    importMap().catch(() => {});
  }, []);
  useEffect(() => {
    if (!isListReady) return;
    // The second frame begins when the first is painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setDue(true));
    });
    return () => cancelAnimationFrame(frame);
  }, [isListReady]);
  return isDue;
}

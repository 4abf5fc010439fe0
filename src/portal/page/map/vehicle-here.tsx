import { Suspense, useMemo, useRef } from "react";
import type { LatestPosition } from "../../both-sides/contract/data.ts";
import { LoadingState } from "../common/loading/notice.tsx";
import { loadable } from "../common/loading/use-load.ts";
import { useTexts } from "../texts/use-texts.ts";
import { toVehicles } from "./layers/vehicle.ts";

const LiveMap = loadable(() => import("./live-map.tsx"));

/** A map that follows one vehicle, for pages that are about something else. */
export function VehicleHere({ position }: { readonly position: LatestPosition }) {
  const { show } = useTexts();
  const card = useRef<HTMLElement>(null);
  // A new list for each report, not for each second.
  const vehicles = useMemo(() => toVehicles([position], Date.now(), show.compare), [position, show.compare]);
  const [vehicle = null] = vehicles;
  return (
    <div className="start-map clip anchor">
      <Suspense fallback={<LoadingState />}>
        <LiveMap
          vehicles={vehicles}
          fences={null}
          selected={vehicle}
          onSelect={() => {}}
          onPile={() => {}}
          focused={vehicle}
          isFollowing
          onPan={() => {}}
          card={card}
        />
      </Suspense>
    </div>
  );
}

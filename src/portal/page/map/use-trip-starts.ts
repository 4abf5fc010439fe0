import { useEffect, useRef, useState } from "react";
import { collect } from "../api/pages.ts";
import type { Trip } from "../api/records.ts";
import type { Vehicle } from "./layers/vehicle.ts";
import type { TripStarts } from "./map-words.ts";

/** More trips under way than vehicles that a page can hold. */
const maxTrips = 10_000;
/** A trip that began just now may wait: it is asked for with the next ones. */
const atMostEveryMs = 60_000;

/** When the trips of the moving vehicles began. Asked for again only when there is a trip that is not known yet. */
export function useTripStarts(vehicles: readonly Vehicle[]): TripStarts {
  const [starts, setStarts] = useState<TripStarts>(new Map());
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  const isMissing = vehicles.some(
    ({ motion, position: { trip_id } }) => motion === "moving" && trip_id !== null && !starts.has(trip_id),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every poll it is time to look whether the pause is over
  useEffect(() => {
    const now = Date.now();
    if (!isMissing || now - askedAt.current < atMostEveryMs) return;
    askedAt.current = now;
    const from = new Date(now - 60_000).toISOString();
    collect<Trip>("trips", { from }, maxTrips).then(
      ({ rows }) => setStarts(new Map(rows.map(({ trip_id, started_at }) => [trip_id, started_at]))),
      // How long a vehicle has driven is then not shown. That the server is gone, the poll says.
      () => {},
    );
  }, [vehicles, isMissing]);
  return starts;
}

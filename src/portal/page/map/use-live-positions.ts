import { useEffect, useRef, useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { LatestPosition, Page } from "../../both-sides/contract/data.ts";
import { collect } from "../api/pages.ts";
import { getResponse, PortalError, pollAgainMs } from "../api/request.ts";
import type { MapVehicle } from "./layers/vehicle.ts";
import type { Starts } from "./map-words.ts";

/** What the API recommends; polling more often gains nothing. */
const pollEveryMs = 10_000;

/** With its ETag, to be sent again only if it has changed. */
interface CachedPart extends Page<LatestPosition> {
  readonly etag: string | null;
}

export interface LivePositions {
  /** Null until the first answer. */
  readonly positions: readonly LatestPosition[] | null;
  /** Why the last poll failed. What is shown is older then. */
  readonly error: unknown;
}

/** Every vehicle's newest position, polled while the page is visible. */
export function useLivePositions(): LivePositions {
  const [live, setLive] = useState<LivePositions>({ positions: null, error: null });
  const cached = useRef(new Map<string, CachedPart>());
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async () => {
      clearTimeout(timer);
      let waitMs = pollEveryMs;
      try {
        const { parts, isChanged } = await fetchParts(cached.current, abort.signal, (positions) => {
          if (cached.current.size === 0) setLive({ positions, error: null });
        });
        cached.current = parts;
        setLive((before) => ({
          positions: isChanged || before.positions === null ? positionsIn(parts) : before.positions,
          error: null,
        }));
      } catch (error) {
        if (abort.signal.aborted) return;
        if (error instanceof PortalError && error.status === 401) return;
        setLive((before) => ({ ...before, error }));
        waitMs = pollAgainMs(error, pollEveryMs);
      }
      if (!abort.signal.aborted && !document.hidden) timer = setTimeout(poll, waitMs);
    };
    const onVisible = () => (document.hidden ? clearTimeout(timer) : void poll());
    document.addEventListener("visibilitychange", onVisible);
    addEventListener("online", onVisible);
    void poll();
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
      removeEventListener("online", onVisible);
    };
  }, []);
  return live;
}

/**
 * All vehicles, which are one answer unless there are thousands: then what has come is shown meanwhile. What has not changed
 * (304) has the same rest as before.
 */
async function fetchParts(
  cached: ReadonlyMap<string, CachedPart>,
  signal: AbortSignal,
  onPart: (positions: readonly LatestPosition[]) => void,
) {
  const parts = new Map<string, CachedPart>();
  let isChanged = false;
  let cursor: string | null = null;
  do {
    const target = to("GET /live-positions", { cursor });
    const before = cached.get(target);
    const headers: Record<string, string> = before?.etag ? { "If-None-Match": before.etag } : {};
    const response = await getResponse(target, { signal, headers });
    let part: CachedPart;
    if (response.status === 304 && before) part = before;
    else {
      part = { ...(await response.json()), etag: response.headers.get("ETag") };
      isChanged = true;
    }
    parts.set(target, part);
    cursor = part.next_cursor;
    if (cursor !== null) onPart(positionsIn(parts));
  } while (cursor !== null);
  return { parts, isChanged: isChanged || parts.size !== cached.size };
}

function positionsIn(parts: ReadonlyMap<string, CachedPart>): readonly LatestPosition[] {
  return [...parts.values()].flatMap(({ data }) => data);
}

/** More trips under way than vehicles that a page can hold. */
const maxTrips = 10_000;
/** A trip that began just now may wait: it is asked for with the next ones. */
const atMostEveryMs = 60_000;

/** When the trips of the moving vehicles began. Asked for again only when there is a trip that is not known yet. */
export function useTripStarts(vehicles: readonly MapVehicle[]): Starts {
  const [starts, setStarts] = useState<Starts>(new Map());
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
    collect("trips", { from }, maxTrips).then(
      ({ rows }) => setStarts(new Map(rows.map(({ trip_id, started_at }) => [trip_id, started_at]))),
      // How long a vehicle has driven is then not shown. That the server is gone, the poll says.
      () => {},
    );
  }, [vehicles, isMissing]);
  return starts;
}

/** When the stands began of vehicles that do not tell their ignition, by the vehicle. Asked for when there is a new one. */
export function useStopStarts(vehicles: readonly MapVehicle[]): Starts {
  const [starts, setStarts] = useState<Map<string, string>>(new Map());
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  /** Those that have not moved since they were asked for. Some never drove, and have no stop. */
  const asked = useRef<Set<string>>(new Set());
  useEffect(() => {
    for (const { id, motion } of vehicles) {
      if (motion !== "moving") continue;
      asked.current.delete(id);
      starts.delete(id);
    }
    const silent = vehicles.filter(({ motion, position }) => motion === "stopped" && position.ignition_since === null);
    const now = Date.now();
    if (silent.every(({ id }) => asked.current.has(id)) || now - askedAt.current < atMostEveryMs) return;
    askedAt.current = now;
    const from = new Date(now - 60_000).toISOString();
    collect("stops", { from, fields: "started_at,ended_at" }, maxTrips).then(
      ({ rows }) => {
        asked.current = new Set(silent.map(({ id }) => id));
        const open = rows.filter(({ ended_at }) => ended_at === null);
        setStarts(new Map(open.map(({ device_id, started_at }) => [device_id, started_at])));
      },
      () => {},
    );
  }, [vehicles, starts]);
  return starts;
}

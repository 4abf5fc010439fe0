import { useEffect, useRef, useState } from "react";
import type { SharedView, TrackPoint } from "../../both-sides/contract/shares.ts";
import { loadTrackPart } from "./share-requests.ts";

export type Tracks = ReadonlyMap<number, readonly TrackPoint[]>;

interface KnownTrack {
  readonly points: readonly TrackPoint[];
  readonly after: string | null;
  readonly isWhole: boolean;
}

/** Trackers may deliver later what they recorded before: so long after its end a period is looked at again. */
const lateMs = 10 * 60_000;

/** The track of each vehicle in the period, which grows while it lasts. */
export function useTracks(secret: string, view: SharedView, round: number): Tracks {
  const [tracks, setTracks] = useState<Tracks>(new Map());
  const known = useRef<Map<number, KnownTrack>>(new Map());
  const isLoading = useRef(false);
  const vehicles = view.vehicles.map(({ vehicle }) => vehicle).join();
  const { period, now } = view;
  const isOver = period === null || Date.parse(period.to) + lateMs < Date.parse(now);
  const hasPeriod = period !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round looks for what is new
  useEffect(() => {
    if (!hasPeriod || isLoading.current) return;
    const numbers = vehicles === "" ? [] : vehicles.split(",").map(Number);
    const show = () =>
      setTracks(new Map(numbers.map((vehicle) => [vehicle, known.current.get(vehicle)?.points ?? []])));
    const load = async (vehicle: number) => {
      for (;;) {
        const before = known.current.get(vehicle) ?? { points: [], after: null, isWhole: false };
        if (before.isWhole && isOver) return;
        const { data, after, is_last } = await loadTrackPart(secret, vehicle, before.after);
        known.current.set(vehicle, { points: [...before.points, ...data], after, isWhole: is_last });
        if (data.length > 0) show();
        if (is_last) return;
      }
    };
    isLoading.current = true;
    show();
    // What fails is tried again in the next round; that a link has ended is found out there, too.
    Promise.all(numbers.map(load))
      .catch(() => {})
      .finally(() => {
        isLoading.current = false;
      });
  }, [secret, vehicles, hasPeriod, isOver, round]);
  return tracks;
}

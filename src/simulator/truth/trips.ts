import type { Drive, Stay } from "../motion/timeline.ts";
import type { TrueTrip } from "./truth.ts";

/** A stop with the engine running, shorter than this, is part of a trip: a delivery at the kerb, a level crossing. */
const shortestRunningStopMs = 900_000;
/** If the engine's state is unknown. */
const shortestStopMs = 180_000;

/**
 * A trip leads from stop to stop. A stop is where the engine is switched off, or where the vehicle stands for a quarter
 * of an hour (three minutes if nothing is known of its engine). Lights and jams are none.
 */
export function trueTrips(activities: readonly (Stay | Drive)[], knowsIgnition: boolean): TrueTrip[] {
  const trips: TrueTrip[] = [];
  let isOn = false;
  for (const activity of activities) {
    if (activity.kind === "stay") {
      if (endsTrip(activity, knowsIgnition)) isOn = false;
      continue;
    }
    const { startsAt, endsAt, motion, isTowed } = activity;
    const last = trips.at(-1);
    const km = motion.metres / 1000;
    const endedAt = Math.round(endsAt);
    if (isOn && last !== undefined) trips[trips.length - 1] = { ...last, endedAt, km: last.km + km };
    else trips.push({ startedAt: Math.round(startsAt), endedAt, km, isTowed });
    isOn = true;
  }
  return trips;
}

function endsTrip({ from, until, offAt }: Stay, knowsIgnition: boolean): boolean {
  if (!knowsIgnition) return until - from >= shortestStopMs;
  return offAt < until || until - from >= shortestRunningStopMs;
}

import { toMm } from "../geometry/distance.ts";
import type { Leg } from "../sighting.ts";
import { type DayOdometer, stepMmOf } from "./odometer.ts";

/** At good reception the way by the positions is this exact. An odometer that is farther off is set to other wheels. */
const exactShare = 0.03;

/** Where positions are rarer it is less so, by the time from one to the next: a road turns, and speeds change in between. */
const closeMs = 15_000;
const sparse = { longestMs: 65_000, withSpeeds: 0.08, without: 0.35 };
const verySparse = { longestMs: 125_000, withSpeeds: 0.2, without: 0.5 };
const rare = { longestMs: 600_000, share: 0.5 };
/** Straight lines cut corners, and speeds are rounded: the way is hardly shorter than they show. */
const shorterShare = 0.12;
/** Nobody saw the road. */
const unseenDoubt = 1;

/** How much longer than the positions show a leg may have been. */
export function doubtMm(leg: Leg): number {
  return leg.to.motion === "still" ? 0 : toMm(leg.metres * doubtShare(leg));
}

function doubtShare({ from, to, ms }: Leg): number {
  if (ms <= closeMs) return exactShare;
  if (ms > rare.longestMs) return unseenDoubt;
  if (ms > verySparse.longestMs) return rare.share;
  const { withSpeeds, without } = ms > sparse.longestMs ? verySparse : sparse;
  return from.speedKmh === null || to.speedKmh === null ? without : withSpeeds;
}

/** Whether an odometer is right, as a day's positions show it; null if they cannot: the way is too short for its step. */
export function odometerFits(
  odometer: DayOdometer,
  positions: { readonly mm: number; readonly doubtMm: number },
): boolean | null {
  const stepMm = stepMmOf(odometer);
  const longerMm = odometer.endMm - odometer.startMm - positions.mm;
  const apartMm = Math.abs(longerMm);
  const allowedMm = longerMm > 0 ? positions.doubtMm : Math.min(positions.doubtMm, shorterShare * positions.mm);
  if (apartMm > allowedMm + stepMm) return false;
  return apartMm <= exactShare * positions.mm && stepMm <= exactShare * positions.mm ? true : null;
}

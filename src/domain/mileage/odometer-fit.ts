import type { Leg } from "../sighting.ts";
import { type DayOdometer, stepMmOf } from "./odometer.ts";

/** At good reception the way by the positions is this exact. An odometer that is farther off is set to other wheels. */
const exactShare = 0.03;

/** How far the way by the positions may be off, as a share of it, by the time from one position to the next. */
const doubts = [
  { longestMs: 15_000, withSpeeds: exactShare, without: exactShare },
  { longestMs: 65_000, withSpeeds: 0.08, without: 0.35 },
  { longestMs: 125_000, withSpeeds: 0.2, without: 0.5 },
  { longestMs: 600_000, withSpeeds: 0.5, without: 0.5 },
];
/** Straight lines cut corners, and speeds are rounded: the way is hardly shorter than they show. */
const shorterShare = 0.12;
/** Nobody saw the road. */
const unseenDoubt = 1;

/** How much longer than the positions show a leg may have been. */
export function doubtMm({ from, to, metres, ms }: Leg): number {
  if (to.motion === "still") return 0;
  const doubt = doubts.find(({ longestMs }) => ms <= longestMs);
  const hasSpeeds = from.speedKmh !== null && to.speedKmh !== null;
  return Math.round(metres * 1000 * (doubt === undefined ? unseenDoubt : hasSpeeds ? doubt.withSpeeds : doubt.without));
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

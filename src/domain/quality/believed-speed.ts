import { kmh } from "../sighting.ts";

/** No vehicle of a fleet is faster, whether by its reported speed or by its positions. */
export const fastestKmh = 250;

/** 10 m/s² (as km/h per second): no vehicle of a fleet brakes or accelerates harder. */
const hardestKmhPerSecond = 36;
const longestForAccelerationMs = 10_000;

/** Over a longer time the road may have turned back, so that the leg is short; then only a vehicle at rest is clear. */
const longestForRoadMs = 20_000;
const restMetres = 50;
/** Over a longer time yet a vehicle may have stood for most of it. */
const longestForImpliedMs = 120_000;
const maxRatioToImplied = 2;
const maxAboveImpliedKmh = 30;

/**
 * The speed that a frame reports, or null if it is not to be believed: negative, faster than any vehicle, out of reach
 * of the speed before, or far above the speed that its leg implies. `before` is the accepted frame it follows, `metres`
 * away; null if it follows none, as after a discontinuity. Two frames of one moment say nothing about each other's speed.
 */
export function believedSpeedKmh(
  reportedKmh: number | null,
  at: number,
  before: { readonly at: number; readonly speedKmh: number | null } | null,
  metres: number,
): number | null {
  if (reportedKmh === null || reportedKmh < 0 || reportedKmh > fastestKmh) return null;
  if (before === null) return reportedKmh;
  const ms = at - before.at;
  if (ms <= 0 || ms > longestForImpliedMs) return reportedKmh;
  const isComparable = ms <= longestForRoadMs || metres <= restMetres;
  if (isComparable && reportedKmh > maxRatioToImplied * kmh(metres, ms) + maxAboveImpliedKmh) return null;
  if (ms > longestForAccelerationMs || before.speedKmh === null) return reportedKmh;
  const changeKmh = Math.abs(reportedKmh - before.speedKmh);
  return changeKmh * 1000 > hardestKmhPerSecond * ms ? null : reportedKmh;
}

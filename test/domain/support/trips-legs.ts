import { earthRadiusMetres } from "../../../src/domain/geometry/bounding-box.ts";
import { metresBetween } from "../../../src/domain/geometry/distance.ts";
import { motionAt } from "../../../src/domain/motion.ts";
import { type Fix, kmh, type Leg } from "../../../src/domain/sighting.ts";

const metresPerDegree = (earthRadiusMetres * Math.PI) / 180;

/** A place on the meridian of Greenwich, so many metres north of the equator, and east of it. */
export const placeAt = (north: number, east = 0) => ({
  latitude: north / metresPerDegree,
  longitude: east / metresPerDegree,
});

/** A valid frame. Without a speed its motion is unclear unless it is given. */
export function fixAt(second: number, metres: number, more: Partial<Fix> = {}): Fix {
  const speedKmh = more.speedKmh ?? null;
  return {
    at: Math.round(second * 1000),
    receivedAt: Math.round(second * 1000),
    ...placeAt(metres),
    speedKmh,
    accuracyM: null,
    ignition: null,
    odometerKm: null,
    motion: speedKmh === null ? "unclear" : motionAt(speedKmh),
    ...more,
  };
}

export function legBetween(from: Fix, to: Fix, areSpeedsTrusted = true): Leg {
  const metres = metresBetween(from, to);
  const ms = to.at - from.at;
  return {
    from,
    to,
    metres,
    ms,
    impliedKmh: kmh(metres, ms),
    areSpeedsTrusted,
    straightPair: null,
    excessMm: 0,
    frozenMm: null,
    byPlaces: null,
  };
}

/** A leg along the meridian, with the speeds at its ends. */
export function legOf(seconds: number, metres: number, fromKmh: number | null, toKmh: number | null): Leg {
  return legBetween(fixAt(0, 0, { speedKmh: fromKmh }), fixAt(seconds, metres, { speedKmh: toKmh }));
}

import { describe, expect, test } from "bun:test";
import { factKey, type TripFact } from "../../src/domain/facts.ts";
import type { Sighting } from "../../src/domain/sighting.ts";
import { openTrip } from "../../src/domain/trips/trips.ts";
import { forAll } from "../support/for-all.ts";
import { type FollowState, follow, judged, type Moment, openDaysOf } from "./support/trips-drive.ts";
import { framesOf, randomMoments } from "./support/trips-random.ts";

/** The frames of a trip: since it started, or since the one before it if that is where it started. */
function recount({ startedAt, durationMs }: TripFact, sightings: readonly Sighting[]) {
  const fixes = sightings
    // The last place sent again while the vehicle drives is no position of its own.
    .flatMap(({ fix, isRepeated }) => (isRepeated ? [] : (fix ?? [])))
    .filter(({ at }) => at >= startedAt && at <= startedAt + durationMs);
  // A frame at the very start is that of the stop.
  const speeds = fixes.flatMap(({ at, speedKmh }) => (at === startedAt ? [] : (speedKmh ?? [])));
  const isFrameAtStart = fixes[0]?.at === startedAt;
  return { positionCount: fixes.length, isFrameAtStart, fastestKmh: speeds.length === 0 ? null : Math.max(...speeds) };
}

describe("whatever a vehicle does", () => {
  test("its trips are in order and never overlap, and no two have the same key", () => {
    forAll(200, [randomMoments], (moments) => {
      const { trips, open } = follow(framesOf(moments));
      const all = open === null ? trips : [...trips, open];
      for (const [index, trip] of all.entries()) {
        const next = all[index + 1];
        if (next === undefined) continue;
        expect(trip.endedAt).not.toBeNull();
        expect(next.startedAt).toBeGreaterThanOrEqual(trip.endedAt ?? Number.POSITIVE_INFINITY);
      }
      expect(new Set(all.map(factKey)).size).toBe(all.length);
    });
  });

  test("each trip says what the frames between its ends say, and is worth reporting", () => {
    forAll(200, [randomMoments], (moments) => {
      const { trips, open, sightings } = follow(framesOf(moments));
      for (const trip of open === null ? trips : [...trips, open]) {
        const { positionCount, fastestKmh, isFrameAtStart } = recount(trip, sightings);
        // Where the ignition went off without a position, the last position counts as one of that moment.
        expect([positionCount, positionCount + (isFrameAtStart ? 0 : 1)]).toContain(trip.positionCount);
        if (fastestKmh !== null) expect(trip.maxSpeedKmh).toBeGreaterThanOrEqual(fastestKmh);
        // Driven or carried: never both.
        expect(Math.min(trip.distanceMm, trip.carriedMm)).toBe(0);
        const movedMm = trip.distanceMm + trip.carriedMm;
        expect(movedMm).toBeGreaterThanOrEqual(200_000);
        expect(trip.durationMs >= 60_000 || movedMm >= 500_000).toBe(true);
        expect(trip.idleMs).toBeLessThanOrEqual(trip.durationMs);
      }
    });
  });

  test("a trip that was reported stays reported, unless the ignition flickered", () => {
    forAll(200, [randomMoments], (moments) => {
      const frames = framesOf(moments.map((moment) => ({ ...moment, on: moment.on || null })));
      const reported = new Set<number>();
      const { trips, open } = follow(frames, (known) => {
        const trip = openTrip(known.trips);
        if (trip !== null) reported.add(trip.startedAt);
        return known;
      });
      const stored = new Set([...trips, ...(open === null ? [] : [open])].map(({ startedAt }) => startedAt));
      expect([...reported].filter((startedAt) => !stored.has(startedAt))).toEqual([]);
    });
  });

  test("the distance of a trip never falls, from its first report to its last", () => {
    forAll(200, [randomMoments], (moments) => {
      const farthest = new Map<number, number>();
      const grow = (trip: TripFact | null) => {
        if (trip === null) return;
        expect(trip.distanceMm).toBeGreaterThanOrEqual(farthest.get(trip.startedAt) ?? 0);
        // If the ignition only flickered, the way up to there does not count before the vehicle has gone on.
        if (trip.endedAt === null) farthest.set(trip.startedAt, trip.distanceMm);
      };
      const { trips } = follow(framesOf(moments), (known) => {
        grow(openTrip(known.trips));
        return known;
      });
      for (const trip of trips) grow(trip);
    });
  });

  test("no day's kilometres fall from one frame to the next", () => {
    forAll(200, [randomMoments], (moments) => {
      const farthest = new Map<number, number>();
      const { days } = follow(framesOf(moments), (known) => {
        for (const { day, distanceMm } of openDaysOf(known)) {
          expect(distanceMm).toBeGreaterThanOrEqual(farthest.get(day) ?? 0);
          // As for a trip: the ignition may only have flickered.
          if (known.trips.phase !== "switched_off") farthest.set(day, distanceMm);
        }
        return known;
      });
      for (const { day, distanceMm } of days) expect(distanceMm).toBeGreaterThanOrEqual(farthest.get(day) ?? 0);
    });
  });

  test("putting the state aside as text after any frame changes nothing, and no state is ever changed", () => {
    forAll(100, [randomMoments], (moments) => {
      const frames = framesOf(moments);
      const whole = follow(frames, frozen);
      const cut = follow(frames, (known) => JSON.parse(JSON.stringify(known)));
      expect(cut.facts).toEqual(whole.facts);
      expect(JSON.stringify(cut.known)).toBe(JSON.stringify(whole.known));
    });
  });

  test("the state stays small", () => {
    let [trips, mileage] = [0, 0];
    forAll(100, [randomMoments], (moments) => {
      follow(framesOf(moments), (known) => {
        trips = Math.max(trips, JSON.stringify(known.trips).length);
        mileage = Math.max(mileage, JSON.stringify(known.mileage).length);
        return known;
      });
    });
    // In characters. Two courses more than the states of a parked vehicle: those of a possible way on; each with what it
    // roamed, and with how its speeds compare with its legs.
    expect(trips).toBeLessThan(5600);
    expect(mileage).toBeLessThan(1500);
  });

  test("the same drive across the antimeridian gives the same trips and days", () => {
    // On a slanted way, so that longitudes matter. Rounding beyond 180 degrees may move a leg by a millimetre.
    const along = (moments: readonly Moment[], longitude: number) =>
      moments.map((moment, index) => {
        const frame = judged(moment, index, longitude + (moment.metres ?? 0) / 2 ** 17);
        const { longitude: beyond } = frame.frame;
        const wrapped = beyond !== null && beyond > 180 ? beyond - 360 : beyond;
        return { ...frame, frame: { ...frame.frame, longitude: wrapped } };
      });
    forAll(100, [randomMoments], (moments) => {
      const here = follow(along(moments, 10));
      const there = follow(along(moments, 179.75));
      const outline = ({ trips, open, days }: typeof here) => [
        [...trips, open].map((trip) => trip && [factKey(trip), trip.endedAt, trip.endReason, trip.positionCount]),
        days.map((day) => [factKey(day), day.tripCount, day.drivingMs, day.idleMs]),
      ];
      expect(outline(there)).toEqual(outline(here));
      const distance = ({ trips }: typeof here) => trips.reduce((sum, trip) => sum + trip.distanceMm, 0);
      expect(Math.abs(distance(there) - distance(here))).toBeLessThanOrEqual(moments.length);
    });
  });
});

function frozen(known: FollowState): FollowState {
  deepFreeze(known);
  return known;
}

function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
}

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { factKey, type TripFact } from "../../src/domain/facts.ts";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import type { Fix, Sighting } from "../../src/domain/sighting.ts";
import { openTrip } from "../../src/domain/trips/trips.ts";
import { follow, judged, type Known } from "./support/trips-drive.ts";
import { framesOf, randomMoments } from "./support/trips-random.ts";

const runs = { numRuns: 300 };

/** What a trip must say, straight from the frames between its ends. */
function recount(trip: TripFact, sightings: readonly Sighting[]) {
  const lastAt = trip.endedAt ?? trip.startedAt + trip.durationMs;
  const within = sightings.filter(({ fix }) => fix !== null && fix.at >= trip.startedAt && fix.at <= lastAt);
  const fixes = within.flatMap(({ fix }) => fix ?? []);
  const legs = within.slice(1).flatMap(({ leg }) => leg ?? []);
  const speeds = fixes.flatMap(({ speedKmh }) => speedKmh ?? []);
  const isMoving = (fix: Fix) => fix.motion === "moving";
  const counted = legs.filter(({ from, to, ms }) => isMoving(from) || isMoving(to) || ms > 300_000);
  return {
    distanceMm: counted.reduce((sum, { metres }) => sum + Math.round(metres * 1000), 0),
    positionCount: fixes.length,
    legCount: legs.length,
    hasGap: legs.some(({ ms }) => ms > 300_000),
    maxSpeedKmh: speeds.length > 0 ? Math.max(...speeds) : null,
    farthestMetres: Math.max(...fixes.map((fix) => metresBetween(trip.start, fix))),
  };
}

describe("whatever a vehicle does", () => {
  test("its trips are in order and never overlap, and no two have the same key", () => {
    fc.assert(
      fc.property(randomMoments, (moments) => {
        const { trips, open } = follow(framesOf(moments));
        const all = open === null ? trips : [...trips, open];
        for (const [index, trip] of all.entries()) {
          const next = all[index + 1];
          if (next === undefined) continue;
          expect(trip.endedAt).not.toBeNull();
          expect(next.startedAt).toBeGreaterThanOrEqual(trip.endedAt ?? Number.POSITIVE_INFINITY);
        }
        expect(new Set(all.map(factKey)).size).toBe(all.length);
      }),
      runs,
    );
  });

  test("each trip says what the frames between its ends say, and is worth keeping", () => {
    fc.assert(
      fc.property(randomMoments, (moments) => {
        const { trips, open, sightings } = follow(framesOf(moments));
        for (const trip of open === null ? trips : [...trips, open]) {
          const { farthestMetres, legCount, maxSpeedKmh, ...counted } = recount(trip, sightings);
          expect(trip).toMatchObject(counted);
          expect(legCount).toBe(trip.positionCount - 1);
          if (maxSpeedKmh !== null) expect(trip.maxSpeedKmh).toBe(maxSpeedKmh);
          expect(trip.distanceMm).toBeGreaterThanOrEqual(200_000);
          expect(farthestMetres).toBeGreaterThanOrEqual(100);
          expect(trip.durationMs >= 60_000 || trip.distanceMm >= 500_000).toBe(true);
          expect(trip.idleMs).toBeLessThanOrEqual(trip.durationMs);
        }
      }),
      runs,
    );
  });

  test("a trip that was told stays told, unless the ignition flickered", () => {
    fc.assert(
      fc.property(randomMoments, (moments) => {
        const frames = framesOf(moments.map((moment) => ({ ...moment, on: moment.on || null })));
        const told = new Set<number>();
        const { trips, open } = follow(frames, (known) => {
          const trip = openTrip(known.trips);
          if (trip !== null) told.add(trip.startedAt);
          return known;
        });
        const kept = new Set([...trips, ...(open === null ? [] : [open])].map(({ startedAt }) => startedAt));
        expect([...told].filter((startedAt) => !kept.has(startedAt))).toEqual([]);
      }),
      runs,
    );
  });

  test("putting the state aside as text after any frame changes nothing, and no state is ever changed", () => {
    fc.assert(
      fc.property(randomMoments, (moments) => {
        const frames = framesOf(moments);
        const whole = follow(frames, frozen);
        const cut = follow(frames, (known) => JSON.parse(JSON.stringify(known)));
        expect(cut.facts).toEqual(whole.facts);
        expect(JSON.stringify(cut.known)).toBe(JSON.stringify(whole.known));
      }),
      { numRuns: 100 },
    );
  });

  test("the state stays small", () => {
    fc.assert(
      fc.property(randomMoments, (moments) => {
        follow(framesOf(moments), (known) => {
          expect(JSON.stringify(known.trips).length).toBeLessThan(1500);
          expect(JSON.stringify(known.mileage).length).toBeLessThan(1000);
          return known;
        });
      }),
      { numRuns: 50 },
    );
  });

  test("the same drive across the antimeridian gives the same trips and days", () => {
    // On a slanted way, so that longitudes matter. Rounding beyond 180 degrees may move a leg by a millimetre.
    const along = (moments: readonly Parameters<typeof judged>[0][], longitude: number) =>
      moments.map((moment, index) => {
        const frame = judged(moment, index, longitude + (moment.metres ?? 0) / 2 ** 17);
        const { longitude: beyond } = frame.frame;
        const wrapped = beyond !== null && beyond > 180 ? beyond - 360 : beyond;
        return { ...frame, frame: { ...frame.frame, longitude: wrapped } };
      });
    fc.assert(
      fc.property(randomMoments, (moments) => {
        const here = follow(along(moments, 10));
        const there = follow(along(moments, 179.75));
        const outline = ({ trips, open, days }: typeof here) => [
          [...trips, open].map((trip) => trip && [factKey(trip), trip.endedAt, trip.endReason, trip.positionCount]),
          days.map((day) => [factKey(day), day.tripCount, day.drivingMs, day.idleMs]),
        ];
        expect(outline(there)).toEqual(outline(here));
        const distance = ({ trips }: typeof here) => trips.reduce((sum, trip) => sum + trip.distanceMm, 0);
        expect(Math.abs(distance(there) - distance(here))).toBeLessThanOrEqual(moments.length);
      }),
      { numRuns: 100 },
    );
  });
});

function frozen(known: Known): Known {
  deepFreeze(known);
  return known;
}

function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
}

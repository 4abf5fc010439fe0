import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { TripFact } from "../../src/domain/facts.ts";
import { storedZone } from "../../src/domain/time/time-zone.ts";
import type { MileageDelta } from "../../src/domain/trips/mileage-delta.ts";
import { forAll } from "../support/for-all.ts";
import { follow, type Moment, type Outcome } from "./support/trips-drive.ts";
import { framesOf, randomMoments } from "./support/trips-random.ts";

const dayMs = 86_400_000;

const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0);
const reported = ({ trips, open }: Outcome) => (open === null ? trips : [...trips, open]);

/** Those that count as trips of a day. */
const driven = (outcome: Outcome) => reported(outcome).filter(({ carriedMm }) => carriedMm === 0);

/** Exactly, in each of their figures. */
function expectSumsOf({ days, deltas }: Outcome): void {
  const added = (figure: "distanceMm" | "gapMm" | "drivingMs" | "idleMs" | "carriedMm") =>
    sum(deltas.map((delta) => delta[figure]));
  expect(sum(days.map(({ distanceMm }) => distanceMm))).toBe(added("distanceMm"));
  expect(sum(days.map(({ gapDistanceMm }) => gapDistanceMm))).toBe(added("gapMm"));
  expect(sum(days.map(({ drivingMs }) => drivingMs))).toBe(added("drivingMs"));
  expect(sum(days.map(({ idleMs }) => idleMs))).toBe(added("idleMs"));
  expect(sum(days.map(({ carriedMm }) => carriedMm))).toBe(added("carriedMm"));
}

/** What was added between the start and the end of a trip. Before its start, only what was driven unseen ends there. */
const deltasOf = ({ startedAt, durationMs }: TripFact, deltas: readonly MileageDelta[]) =>
  deltas.filter(({ from, to }) => from >= startedAt && to <= startedAt + durationMs);

const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"].map(storedZone);

/** What was driven until a moment, by positions, as a day that ended then would have it. */
function drivenMm(deltas: readonly MileageDelta[], at: number): number {
  const shares = deltas.map(({ from, to, distanceMm }) => {
    if (at >= to) return distanceMm;
    return at <= from ? 0 : Math.round(distanceMm * ((at - from) / (to - from)));
  });
  return sum(shares);
}

/** The same frames with an odometer that shows what the positions do, missing in stretches: one for each of `readTimes`. */
function withOdometer(moments: readonly Moment[], readTimes: readonly number[]): Moment[] {
  const { deltas, sightings } = follow(framesOf(moments));
  return moments.map((moment, index) => {
    const isRead = (readTimes[Math.floor(index / 7) % readTimes.length] ?? 0) > index % 7;
    const at = sightings[index]?.frame.recordedAt ?? 0;
    return { ...moment, odometerKm: isRead ? 1000 + drivenMm(deltas, at) / 1e6 : null };
  });
}

const readTimes = fc.array(fc.constantFrom(0, 0, 0, 1, 3, 7, 7), { minLength: 1, maxLength: 40, size: "max" });

describe("whatever a vehicle does", () => {
  test("its days add up to the same with an odometer that is missing now and then, exactly and in every zone", () => {
    forAll(200, [randomMoments, readTimes, fc.constantFrom(...zones)], (moments, read, zone) => {
      const outcome = follow(framesOf(withOdometer(moments, read)), undefined, () => zone);
      expectSumsOf(outcome);
      expect(outcome.days.every(({ distanceMm }) => distanceMm >= 0)).toBe(true);
    });
  });

  test("its days add up to all that its trips, moves and unseen legs added, in every time zone and over a change of it", () => {
    const zone = fc.constantFrom(...zones);
    forAll(200, [randomMoments, zone, zone, fc.nat(300)], (moments, before, after, changesAt) => {
      const outcome = follow(framesOf(moments), undefined, (index) => (index < changesAt ? before : after));
      expectSumsOf(outcome);
      // A trip whose day is over by the other zone is counted when the device has been derived again.
      const trips = sum(outcome.days.map(({ tripCount }) => tripCount));
      if (before === after) expect(trips).toBe(driven(follow(framesOf(moments))).length);
    });
  });

  test("what a trip added to its days is its distance, and no delta is more than its time and its distance allow", () => {
    forAll(200, [randomMoments], (moments) => {
      const outcome = follow(framesOf(moments));
      for (const trip of reported(outcome)) {
        const own = deltasOf(trip, outcome.deltas);
        expect(sum(own.map(({ distanceMm }) => distanceMm))).toBe(trip.distanceMm);
        expect(sum(own.map(({ carriedMm }) => carriedMm))).toBe(trip.carriedMm);
      }
      for (const delta of outcome.deltas) {
        expect(delta.to).toBeGreaterThanOrEqual(delta.from);
        expect(delta.distanceMm).toBeGreaterThanOrEqual(delta.gapMm);
        for (const figure of [delta.gapMm, delta.drivingMs, delta.idleMs]) expect(figure).toBeGreaterThanOrEqual(0);
        expect(delta.drivingMs + delta.idleMs).toBeLessThanOrEqual(delta.to - delta.from);
      }
    });
  });

  test("its trips are counted on the day they started, or on the next one that has a row", () => {
    forAll(200, [randomMoments], (moments) => {
      const outcome = follow(framesOf(moments));
      const rows = outcome.days.map(({ day }) => day).toSorted((one, other) => one - other);
      const counted = new Map(rows.map((day) => [day, 0]));
      for (const { startedAt } of driven(outcome)) {
        const day = rows.find((row) => row >= Math.floor(startedAt / dayMs)) ?? -1;
        counted.set(day, (counted.get(day) ?? 0) + 1);
      }
      expect(new Map(outcome.days.map(({ day, tripCount }) => [day, tripCount]))).toEqual(counted);
    });
  });

  test("each day is reported once, every day with a valid frame is there, and none is longer than a day", () => {
    forAll(200, [randomMoments], (moments) => {
      const outcome = follow(framesOf(moments));
      const rows = outcome.days.map(({ day }) => day);
      expect(new Set(rows).size).toBe(rows.length);
      expect(outcome.known.mileage.days.length).toBeLessThanOrEqual(3);
      const seen = outcome.sightings.flatMap(({ fix }) => (fix === null ? [] : [Math.floor(fix.at / dayMs)]));
      expect(new Set(rows)).toEqual(new Set(seen));
      // A trip may have started on a day without a frame, up to two intervals of an hour before it was seen.
      const longestMs = dayMs + 7_200_000;
      for (const { drivingMs, idleMs } of outcome.days) expect(drivingMs + idleMs).toBeLessThanOrEqual(longestMs);
    });
  });
});

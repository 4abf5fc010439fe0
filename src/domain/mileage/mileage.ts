import type { MileageFact, TripFact } from "../facts.ts";
import type { Fix, Leg, Sighting } from "../sighting.ts";
import { onlyState, type Step } from "../step.ts";
import type { Zone } from "../time/time-zone.ts";
import type { MileageDelta } from "../trips/mileage-delta.ts";
import { type DayTally, dayFactOf, deltaPartOf, emptyDay, fitOf, withDelta } from "./day-tally.ts";
import {
  confirmedOdometer,
  extendOdometer,
  hasMoved,
  isMidStep,
  isSteadyStep,
  type OdometerReading,
  readingAfter,
  restartedOdometer,
  resumedOdometer,
  startOdometer,
} from "./odometer.ts";
import { doubtMm } from "./odometer-fit.ts";

/** The days that are not final yet. */
export interface MileageState {
  /** The last reading of the odometer, on any day. */
  readonly reading: OdometerReading | null;
  /** Whether the odometer was right on the last final day that shows it. */
  readonly fits: boolean | null;
  /** In ascending order; the last is the day of the last valid frame. Three at most: see `isOpen`. */
  readonly days: readonly DayTally[];
}

export const initialMileage: MileageState = { reading: null, fits: null, days: [] };

/** What the trips say about a frame. */
export interface TripsSoFar {
  /** The trips that the frame completed. */
  readonly ended: readonly TripFact[];
  readonly deltas: readonly MileageDelta[];
  /** Whether one is under way: the places of a parked vehicle waver, which is no speed. */
  readonly isUnderWay: boolean;
  /** No trip still to be reported starts before this. */
  readonly earliestStart: number | null;
  /** No delta still to come begins before this. */
  readonly countedUntil: number | null;
}

type SpeedOfTrip = Pick<TripFact, "startedAt" | "durationMs" | "maxSpeedKmh" | "carriedMm">;

/** Applies the next frame, with what the trips say about it. */
export function stepMileage(
  state: MileageState,
  sighting: Sighting,
  trips: TripsSoFar,
  zone: Zone,
): Step<MileageState, MileageFact> {
  const { fix, leg } = sighting;
  const speedKmh = fix?.speedKmh ?? (trips.isUnderWay ? (leg?.byPlaces?.peakKmh ?? null) : null);
  const { reading, fits, days } = fix === null ? state : withFrame(state, fix, speedKmh, sighting, zone);
  const open = withTrips(withDeltas(days, trips.deltas, sighting.frame.receivedAt), trips.ended, zone);
  if (open.length < 2) return onlyState({ reading, fits, days: open });
  const final = open.filter((tally, index) => index < open.length - 1 && !isOpen(tally, open, trips, zone));
  if (final.length === 0) return onlyState({ reading, fits, days: open });
  const left = open.filter((tally) => !final.includes(tally));
  const fitsNow = final.reduce((before, tally) => fitOf(tally) ?? before, fits);
  return { state: { reading, fits: fitsNow, days: left }, facts: final.map((tally) => dayFactOf(tally, fits, 0)) };
}

/** The days so far, with the trip in progress, and with what a trip that may be over would add. */
export function openDays(
  { days, fits }: MileageState,
  trip: SpeedOfTrip | null,
  deltas: readonly MileageDelta[],
  zone: Zone,
): readonly MileageFact[] {
  const tripDay = trip === null || isCarried(trip) ? null : tripDayOf(days, trip.startedAt, zone);
  return withDeltas(days, deltas, 0).map((tally) =>
    trip === null || tally.day !== tripDay
      ? dayFactOf(tally, fits, 0)
      : dayFactOf(asFastAs(trip, tally, zone), fits, 1),
  );
}

/** A day stays open while a trip that started on it, or what was driven on it, may still be reported after midnight. */
function isOpen(tally: DayTally, days: readonly DayTally[], { earliestStart, countedUntil }: TripsSoFar, zone: Zone) {
  if (countedUntil !== null && countedUntil < (tally.endsAt ?? Number.POSITIVE_INFINITY)) return true;
  return earliestStart !== null && tripDayOf(days, earliestStart, zone) === tally.day;
}

/** The day that a trip counts for. A vehicle may leave on a day without a valid frame: then it is the next one. */
function tripDayOf(days: readonly DayTally[], startedAt: number, zone: Zone): number | null {
  const startDay = zone.dayOf(startedAt);
  return days.find(({ day }) => day >= startDay)?.day ?? null;
}

function withTrips(days: readonly DayTally[], ended: readonly TripFact[], zone: Zone): readonly DayTally[] {
  let counted = days;
  for (const trip of ended) {
    if (isCarried(trip)) continue;
    const day = tripDayOf(counted, trip.startedAt, zone);
    counted = counted.map((tally) =>
      tally.day === day ? { ...asFastAs(trip, tally, zone), tripCount: tally.tripCount + 1 } : tally,
    );
  }
  return counted;
}

/** It counts as no trip of the day. */
function isCarried({ carriedMm }: Pick<TripFact, "carriedMm">): boolean {
  return carriedMm > 0;
}

/** A day is no slower than a trip that lies within it. Of one that goes on after midnight, each frame counts for its day. */
function asFastAs({ startedAt, durationMs, maxSpeedKmh }: SpeedOfTrip, tally: DayTally, zone: Zone): DayTally {
  if (zone.dayOf(startedAt + durationMs) !== tally.day) return tally;
  const highest = higher(tally.maxSpeedKmh, maxSpeedKmh);
  return highest === tally.maxSpeedKmh ? tally : { ...tally, maxSpeedKmh: highest };
}

/** The one that is known, if only one is. */
export function higher(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** Days without a valid frame have no row: what was driven on them counts for the next day that has one. */
function withDeltas(
  days: readonly DayTally[],
  deltas: readonly MileageDelta[],
  receivedAt: number,
): readonly DayTally[] {
  if (deltas.length === 0) return days;
  const grown = [...days];
  for (const delta of deltas) {
    let from = delta.from;
    for (const [index, tally] of grown.entries()) {
      const isLast = index === grown.length - 1;
      const end = Math.min(delta.to, isLast ? delta.to : (tally.endsAt ?? delta.to));
      if (end <= from && !(isLast && delta.to === delta.from)) continue;
      const part = deltaPartOf(delta, from, end, tally.odometer);
      from = end;
      grown[index] = withDelta(tally, part, receivedAt);
      const next = grown[index + 1];
      // The next day's first reading shows it, too.
      if (next !== undefined && next.earlierMm !== null) {
        grown[index + 1] = { ...next, earlierMm: next.earlierMm + part.sinceMm };
      }
    }
  }
  return grown;
}

function withFrame(
  state: MileageState,
  fix: Fix,
  speedKmh: number | null,
  { previous, leg }: Sighting,
  zone: Zone,
): MileageState {
  const { receivedAt } = fix;
  const { fits, reading: last } = state;
  const current = state.days.at(-1) ?? null;
  // Days before the current one are over, even if by the zone that the account has now it is still one of them.
  const day = Math.max(zone.dayOf(fix.at), current?.day ?? Number.NEGATIVE_INFINITY);
  const reading = fix.odometerKm === null ? null : readingAfter(last, fix.at, fix.odometerKm);
  const days = state.days.slice(0, -1);
  if (current === null || current.day === day) {
    const today = current ?? emptyDay(day, receivedAt);
    days.push(withFix(withReading(today, last, reading), receivedAt, speedKmh, leg));
  } else {
    // By the zone that the account has now, the current day may have been over before its last frame.
    const lastAt = Math.max(previous?.at ?? Number.NEGATIVE_INFINITY, last?.at ?? Number.NEGATIVE_INFINITY);
    const midnight = Math.max(zone.startOf(current.day + 1), lastAt);
    const today = { ...emptyDay(day, receivedAt), earlierMm: earlierMmAfter(current) };
    days.push({ ...current, endsAt: midnight }, withFix(withReading(today, last, reading), receivedAt, speedKmh, leg));
  }
  return { reading: reading ?? last, fits, days };
}

function withFix(tally: DayTally, receivedAt: number, speedKmh: number | null, leg: Leg | null): DayTally {
  return {
    ...tally,
    doubtMm: tally.doubtMm + (leg === null ? 0 : doubtMm(leg)),
    maxSpeedKmh: higher(tally.maxSpeedKmh, speedKmh),
    updatedAt: Math.max(tally.updatedAt, receivedAt),
  };
}

/** What the days so far count by positions since the odometer last moved. */
function earlierMmAfter({ odometer, sinceMm, earlierMm }: DayTally): number | null {
  if (odometer === null || isMidStep(odometer, { mm: odometer.endMm })) return null;
  return hasMoved(odometer) ? sinceMm : (earlierMm ?? 0) + sinceMm;
}

/**
 * A day goes on from where the odometer last moved. What was driven since then is in its next step: an odometer of whole
 * kilometres shows up to one too little in between, so only a reading at which it moves says how far it has come.
 */
function withReading(tally: DayTally, last: OdometerReading | null, reading: OdometerReading | null): DayTally {
  if (reading === null) return tally;
  const { odometer, coveredMm, sinceMm, earlierMm } = tally;
  const isSteady = last !== null && isSteadyStep(last, reading);
  const before = odometer ?? (isSteady && earlierMm !== null ? resumedOdometer(last) : null);
  if (before === null) return { ...tally, odometer: startOdometer(reading), sinceMm: 0, earlierMm: null };
  if (reading.mm === last?.mm) {
    const confirmed = confirmedOdometer(before, reading);
    return confirmed === odometer ? tally : { ...tally, odometer: confirmed };
  }
  if (reading.mm > before.endMm && isMidStep(before, reading))
    return { ...tally, odometer: restartedOdometer(reading), sinceMm: 0 };
  const extended = extendOdometer(before, reading, isSteady);
  return { ...tally, odometer: extended, coveredMm: coveredMm + sinceMm, sinceMm: 0 };
}

import type { MileageFact, TripFact } from "../facts.ts";
import type { Fix, Sighting } from "../sighting.ts";
import { onlyState, type Step } from "../step.ts";
import type { Zone } from "../time-zone.ts";
import type { Gain } from "../trips/gain.ts";
import { type DayTally, emptyDay, factOf, partOf, withGain } from "./day-tally.ts";
import { odometersAround } from "./midnight.ts";
import {
  type DayOdometer,
  extendOdometer,
  isSteadyStep,
  type Reading,
  readingAfter,
  startOdometer,
} from "./odometer.ts";

/** The days that are not final yet. */
export interface MileageState {
  /** The last reading of the odometer, on any day. */
  readonly reading: Reading | null;
  /** In ascending order; the last is the day of the last valid frame. Three at most: see `isOpen`. */
  readonly days: readonly DayTally[];
}

export const initialMileage: MileageState = { reading: null, days: [] };

/** What the trips say about a frame. */
export interface TripsSoFar {
  /** The trips that the frame completed. */
  readonly ended: readonly TripFact[];
  readonly gains: readonly Gain[];
  /** No trip still to be reported starts before this. */
  readonly earliestStart: number | null;
  /** No gain still to come begins before this. */
  readonly countedUntil: number | null;
}

/** Applies the next frame, with what the trips say about it. */
export function stepMileage(
  state: MileageState,
  { frame, fix, previous }: Sighting,
  trips: TripsSoFar,
  zone: Zone,
): Step<MileageState, MileageFact> {
  const { reading, days } = fix === null ? state : withFrame(state, fix, previous, zone);
  const open = withTrips(withGains(days, trips.gains, frame.receivedAt), trips.ended, zone);
  if (open.length < 2) return onlyState({ reading, days: open });
  const final = open.filter((tally, index) => index < open.length - 1 && !isOpen(tally, open, trips, zone));
  if (final.length === 0) return onlyState({ reading, days: open });
  const left = open.filter((tally) => !final.includes(tally));
  return { state: { reading, days: left }, facts: final.map((tally) => factOf(tally, 0)) };
}

/**
 * The days so far, with the trip in progress counted for the day it started on, and with what a trip that may be over
 * would add.
 */
export function openDays(
  { days }: MileageState,
  openTripStartedAt: number | null,
  gains: readonly Gain[],
  zone: Zone,
): readonly MileageFact[] {
  const tripDay = openTripStartedAt === null ? null : tripDayOf(days, openTripStartedAt, zone);
  return withGains(days, gains, 0).map((tally) => factOf(tally, tally.day === tripDay ? 1 : 0));
}

/**
 * A trip counts for the day it started on, but may be reported only after midnight. What was driven counts once the
 * vehicle has left the place where it last stood, perhaps after midnight. So a day stays open as long as either may come.
 */
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
  for (const { startedAt } of ended) {
    const day = tripDayOf(counted, startedAt, zone);
    counted = counted.map((tally) => (tally.day === day ? { ...tally, tripCount: tally.tripCount + 1 } : tally));
  }
  return counted;
}

/** Days without a valid frame have no row: what was driven on them counts for the next day that has one. */
function withGains(days: readonly DayTally[], gains: readonly Gain[], receivedAt: number): readonly DayTally[] {
  let grown = days;
  for (const gain of gains) {
    let from = gain.from;
    grown = grown.map((tally, index) => {
      const isLast = index === grown.length - 1;
      const end = Math.min(gain.to, isLast ? gain.to : (tally.endsAt ?? gain.to));
      if (end <= from && !(isLast && gain.to === gain.from)) return tally;
      const part = partOf(gain, from, end);
      from = end;
      return withGain(tally, part, receivedAt);
    });
  }
  return grown;
}

function withFrame(state: MileageState, fix: Fix, previous: Fix | null, zone: Zone): MileageState {
  const { receivedAt } = fix;
  const current = state.days.at(-1) ?? null;
  // Days before the current one are over, even if by the zone that the account has now it is still one of them.
  const day = Math.max(zone.dayOf(fix.at), current?.day ?? Number.NEGATIVE_INFINITY);
  const last = state.reading;
  const reading = fix.odometerKm === null ? null : readingAfter(last, fix.at, fix.odometerKm);
  const earlier = state.days.slice(0, -1);
  const days: DayTally[] = [];
  if (current === null || current.day === day) {
    const today = current ?? emptyDay(day, receivedAt);
    const odometer = reading === null ? today.odometer : odometerWith(today.odometer, last, reading);
    days.push(...earlier, withFix(today, fix, odometer));
  } else {
    // By the zone that the account has now, the current day may have been over before its last frame.
    const lastAt = Math.max(previous?.at ?? Number.NEGATIVE_INFINITY, last?.at ?? Number.NEGATIVE_INFINITY);
    const midnight = Math.max(zone.startOf(current.day + 1), lastAt);
    const [evening, morning] = odometersAround(midnight, current.odometer, last, reading);
    // A night that adds nothing leaves the day unchanged.
    const isTouched = evening?.endMm !== current.odometer?.endMm;
    const updatedAt = isTouched ? Math.max(current.updatedAt, receivedAt) : current.updatedAt;
    const yesterday = { ...current, endsAt: midnight, odometer: isTouched ? evening : current.odometer, updatedAt };
    days.push(...earlier, yesterday, withFix(emptyDay(day, receivedAt), fix, morning));
  }
  return { reading: reading ?? last, days };
}

function withFix(tally: DayTally, { speedKmh, receivedAt }: Fix, odometer: DayOdometer | null): DayTally {
  const maxSpeedKmh = speedKmh === null ? tally.maxSpeedKmh : Math.max(tally.maxSpeedKmh ?? 0, speedKmh);
  return { ...tally, maxSpeedKmh, odometer, updatedAt: Math.max(tally.updatedAt, receivedAt) };
}

/** A day starts where the odometer was last read, even days before, so that no kilometre is lost between days. */
function odometerWith(odometer: DayOdometer | null, last: Reading | null, reading: Reading): DayOdometer {
  if (last === null) return startOdometer(reading.mm);
  const isSteady = isSteadyStep(last, reading);
  if (odometer !== null) return extendOdometer(odometer, reading.mm, isSteady);
  return isSteady ? extendOdometer(startOdometer(last.mm), reading.mm, true) : startOdometer(reading.mm);
}

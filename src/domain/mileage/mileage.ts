import type { MileageFact, TripFact } from "../facts.ts";
import type { Sighting } from "../sighting.ts";
import { noFacts, onlyState, type Step } from "../step.ts";
import type { Zone } from "../time-zone.ts";
import { countLeg } from "./counted-leg.ts";
import { addToDay, type DayTally, emptyDay, factOf, nothing } from "./day-tally.ts";
import { crossMidnight } from "./midnight.ts";
import {
  type DayOdometer,
  extendOdometer,
  isSteadyStep,
  type Reading,
  readingAfter,
  startOdometer,
} from "./odometer.ts";

/**
 * The days that are not final yet, two at most: between the start of a long trip and now no other trip started, so
 * nothing about the days between is open.
 */
export interface MileageState {
  /** The last reading of the odometer, on any day. */
  readonly reading: Reading | null;
  /** An earlier day, held open for a trip that may have started on it. */
  readonly held: DayTally | null;
  /** The day of the last valid frame. */
  readonly current: DayTally | null;
}

export const initialMileage: MileageState = { reading: null, held: null, current: null };

/**
 * Applies the next frame, with the trips that it completed. A trip counts for the day it started on, but may be
 * reported only after midnight: so a day is final when no trip still to be reported can have started on it
 * (`earliestStart`).
 */
export function stepMileage(
  state: MileageState,
  sighting: Sighting,
  endedTrips: readonly TripFact[],
  earliestStart: number | null,
  zone: Zone,
): Step<MileageState, MileageFact> {
  const counted = withTrips(state, endedTrips, zone);
  const heldDay = earliestStart === null ? null : zone.dayOf(earliestStart);
  const { reading, held, current } = counted;
  if (held === null || held.day === heldDay) return withFrame(counted, sighting, heldDay, zone);
  const after = withFrame({ reading, held: null, current }, sighting, heldDay, zone);
  return { state: after.state, facts: [factOf(held, 0), ...after.facts] };
}

/** The days so far, with the trip in progress counted where it started. */
export function openDays(
  { held, current }: MileageState,
  openTripStartedAt: number | null,
  zone: Zone,
): readonly MileageFact[] {
  const tripDay = openTripStartedAt === null ? null : zone.dayOf(openTripStartedAt);
  const facts: MileageFact[] = [];
  if (held !== null) facts.push(factOf(held, held.day === tripDay ? 1 : 0));
  if (current !== null) facts.push(factOf(current, current.day === tripDay ? 1 : 0));
  return facts;
}

function withTrips(state: MileageState, endedTrips: readonly TripFact[], zone: Zone): MileageState {
  let { held, current } = state;
  for (const { startedAt } of endedTrips) {
    const day = zone.dayOf(startedAt);
    if (held?.day === day) held = { ...held, tripCount: held.tripCount + 1 };
    else if (current?.day === day) current = { ...current, tripCount: current.tripCount + 1 };
  }
  return held === state.held && current === state.current ? state : { reading: state.reading, held, current };
}

function withFrame(
  state: MileageState,
  { fix, leg }: Sighting,
  heldDay: number | null,
  zone: Zone,
): Step<MileageState, MileageFact> {
  if (fix === null) return onlyState(state);
  const { current } = state;
  // Days before the current one are over, even if by the zone that the account has now it is still one of them.
  const day = Math.max(zone.dayOf(fix.at), current?.day ?? Number.NEGATIVE_INFINITY);
  const lastReading = state.reading;
  const reading = fix.odometerKm === null ? null : readingAfter(lastReading, fix.at, fix.odometerKm);
  const whole = leg === null ? nothing : countLeg(leg);
  if (current === null || current.day === day) {
    const today = current ?? emptyDay(day, fix.receivedAt);
    const odometer = reading === null ? today.odometer : odometerWith(today.odometer, lastReading, reading);
    const grown = addToDay(today, whole, fix.speedKmh, odometer, fix.receivedAt);
    return onlyState({ reading: reading ?? lastReading, held: state.held, current: grown });
  }
  // By the zone that the account has now, the current day may have been over before its last frame.
  const lastAt = Math.max(leg?.from.at ?? Number.NEGATIVE_INFINITY, lastReading?.at ?? Number.NEGATIVE_INFINITY);
  const midnight = Math.max(zone.startOf(current.day + 1), lastAt);
  const [yesterday, today] = crossMidnight(current, day, midnight, {
    fix,
    leg,
    whole,
    lastReading,
    reading,
  });
  const isHeld = yesterday.day === heldDay;
  return {
    state: { reading: reading ?? lastReading, held: isHeld ? yesterday : state.held, current: today },
    facts: isHeld ? noFacts : [factOf(yesterday, 0)],
  };
}

/** A day starts where the odometer was last read, even days before, so that no kilometre is lost between days. */
function odometerWith(odometer: DayOdometer | null, last: Reading | null, reading: Reading): DayOdometer {
  if (last === null) return startOdometer(reading.mm);
  const isSteady = isSteadyStep(last, reading);
  if (odometer !== null) return extendOdometer(odometer, reading.mm, isSteady);
  return isSteady ? extendOdometer(startOdometer(last.mm), reading.mm, true) : startOdometer(reading.mm);
}

import type { Fact, MileageFact } from "../facts.ts";
import type { Sighting } from "../sighting.ts";
import { countLeg } from "./counted-leg.ts";
import { addToDay, type DayTally, dayOf, emptyDay, factOf, nothing } from "./day-tally.ts";
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
 * The days that are not final yet. They are two at most: on the days between the start of a long trip and now no other
 * trip started, so nothing about them is open.
 */
export interface MileageState {
  /** The last reading of the odometer, on whichever day. */
  readonly reading: Reading | null;
  /** An earlier day that waits for a trip which may have started on it. */
  readonly held: DayTally | null;
  /** The day of the last valid frame. */
  readonly current: DayTally | null;
}

export const initialMileage: MileageState = { reading: null, held: null, current: null };

/**
 * Takes the next frame; days that are final are added to the facts, which are those of this step and no other. The trip
 * in progress is told only once it is sure to be kept, and that may be after midnight. So that its day waits for it, no
 * trip that is still to be told may start before `earliestStart`.
 */
export function stepMileage(
  state: MileageState,
  sighting: Sighting,
  openTripStartedAt: number | null,
  facts: Fact[],
  earliestStart: number | null = openTripStartedAt,
): MileageState {
  const counted = withTrips(state, facts);
  const heldDay = earliestStart === null ? null : dayOf(earliestStart);
  return letGo(withFrame(counted, sighting, heldDay, facts), heldDay, facts);
}

/** The days so far, with the trip in progress counted where it started. */
export function openDays({ held, current }: MileageState, openTripStartedAt: number | null): readonly MileageFact[] {
  const tripDay = openTripStartedAt === null ? null : dayOf(openTripStartedAt);
  const facts: MileageFact[] = [];
  if (held !== null) facts.push(factOf(held, held.day === tripDay ? 1 : 0));
  if (current !== null) facts.push(factOf(current, current.day === tripDay ? 1 : 0));
  return facts;
}

function withTrips(state: MileageState, facts: readonly Fact[]): MileageState {
  let { held, current } = state;
  for (const fact of facts) {
    if (fact.kind !== "trip") continue;
    const day = dayOf(fact.startedAt);
    if (held?.day === day) held = { ...held, tripCount: held.tripCount + 1 };
    else if (current?.day === day) current = { ...current, tripCount: current.tripCount + 1 };
  }
  return held === state.held && current === state.current ? state : { reading: state.reading, held, current };
}

function withFrame(state: MileageState, { fix, leg }: Sighting, heldDay: number | null, facts: Fact[]): MileageState {
  if (fix === null) return state;
  const day = dayOf(fix.at);
  const lastReading = state.reading;
  const reading = fix.odometerKm === null ? null : readingAfter(lastReading, fix.at, fix.odometerKm);
  const whole = leg === null ? nothing : countLeg(leg);
  const { current } = state;
  if (current === null || current.day === day) {
    const today = current ?? emptyDay(day, fix.receivedAt);
    const odometer = reading === null ? today.odometer : odometerWith(today.odometer, lastReading, reading);
    const grown = addToDay(today, whole, fix.speedKmh, odometer, fix.receivedAt);
    return { reading: reading ?? lastReading, held: state.held, current: grown };
  }
  const [yesterday, today] = crossMidnight(current, day, { fix, leg, whole, lastReading, reading });
  let { held } = letGo(state, heldDay, facts);
  if (yesterday.day === heldDay) held = yesterday;
  else facts.push(factOf(yesterday, 0));
  return { reading: reading ?? lastReading, held, current: today };
}

/** A day starts where the odometer was last read, be it days before, so that no kilometre is lost between days. */
function odometerWith(odometer: DayOdometer | null, last: Reading | null, reading: Reading): DayOdometer {
  if (last === null) return startOdometer(reading.mm);
  const isSteady = isSteadyStep(last, reading);
  if (odometer !== null) return extendOdometer(odometer, reading.mm, isSteady);
  return isSteady ? extendOdometer(startOdometer(last.mm), reading.mm, true) : startOdometer(reading.mm);
}

/** The held day is final as soon as no trip can have started on it any more. */
function letGo(state: MileageState, heldDay: number | null, facts: Fact[]): MileageState {
  const { reading, held, current } = state;
  if (held === null || held.day === heldDay) return state;
  facts.push(factOf(held, 0));
  return { reading, held: null, current };
}

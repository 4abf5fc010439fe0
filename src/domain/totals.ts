import type { DayTally } from "./mileage/day-tally.ts";
import type { StagesState } from "./stages.ts";
import type { Course } from "./trips/course.ts";
import { openTripStart } from "./trips/trips.ts";

/**
 * The sums and maxima of the open days and the open trip, separate from the rest of a state. No rule reads them once a
 * trip is long enough to be reported. So if a late frame changes only totals, the states after it need not be derived
 * again: each differs by the same amounts.
 */
export interface Totals {
  readonly current: DayTotals | null;
  readonly held: DayTotals | null;
  readonly trip: TripTotals | null;
}

interface Tally {
  readonly sums: readonly number[];
  readonly maxima: readonly (number | null)[];
}

interface DayTotals extends Tally {
  readonly day: number;
}

interface TripTotals {
  readonly startedAt: number;
  readonly course: Tally;
  readonly dwell: Tally;
}

/** The state without its totals, and the totals. */
export function splitTotals(state: StagesState): { readonly rest: StagesState; readonly totals: Totals } {
  const { mileage, trips } = state;
  const { held, current } = mileage;
  const startedAt = trips.phase === "driving" ? openTripStart(trips) : null;
  const trip =
    trips.phase === "driving" && startedAt !== null
      ? { startedAt, course: tallyOfCourse(trips.course), dwell: tallyOfCourse(trips.dwell) }
      : null;
  const totals = { current: current && totalsOfDay(current), held: held && totalsOfDay(held), trip };
  return { rest: replaced(state, { current: noDay, held: noDay, trip: trip && noTrip }), totals };
}

/** The opposite of `splitTotals`. */
export function joinTotals(rest: StagesState, totals: Totals): StagesState {
  return replaced(rest, totals);
}

/**
 * The totals of a later state of the same device, where those of an earlier one turn out to be `after` instead of `before`.
 * Null if they cannot be known without the frames between, because a day or a trip ended or a maximum fell.
 */
export function carryTotals(before: Totals, after: Totals, later: Totals): Totals | null {
  const current = carryDay(before.current, after.current, later.current);
  const held = carryDay(before.held, after.held, later.held);
  const trip = carryTrip(before.trip, after.trip, later.trip);
  return current === undefined || held === undefined || trip === undefined ? null : { current, held, trip };
}

function carryDay(before: DayTotals | null, after: DayTotals | null, later: DayTotals | null) {
  if (isSame(before, after)) return later;
  if (before === null || after === null || later === null || later.day !== before.day) return undefined;
  const tally = carry(before, after, later);
  return tally && { day: later.day, ...tally };
}

function carryTrip(before: TripTotals | null, after: TripTotals | null, later: TripTotals | null) {
  if (isSame(before, after)) return later;
  if (before === null || after === null || later?.startedAt !== before.startedAt) return undefined;
  const course = carry(before.course, after.course, later.course);
  // A dwell is the course up to its first frame. One that began later has all that the course had.
  const isSameDwell = isSame(before.dwell, later.dwell);
  const dwell = isSameDwell ? after.dwell : carry(before.course, after.course, later.dwell);
  return course && dwell && { startedAt: later.startedAt, course, dwell };
}

function carry(before: Tally, after: Tally, later: Tally): Tally | undefined {
  const maxima: (number | null)[] = [];
  for (const [index, was] of before.maxima.entries()) {
    const is = after.maxima[index] ?? null;
    const then = later.maxima[index] ?? null;
    // A maximum that fell is known only if something higher came later.
    if (isLess(is, was) && !isLess(was, then)) return undefined;
    maxima.push(isLess(then, is) ? is : then);
  }
  const sums = later.sums.map((sum, index) => sum + (after.sums[index] ?? 0) - (before.sums[index] ?? 0));
  return { sums, maxima };
}

/** Null is less than any number. */
function isLess(one: number | null, other: number | null): boolean {
  return other !== null && (one === null || one < other);
}

function isSame(one: object | null, other: object | null): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

const noDay: Tally = { sums: [0, 0, 0, 0, 0], maxima: [null, 0] };
const noCourse: Tally = { sums: [0, 0, 0], maxima: [null, null, 0] };
const noTrip = { course: noCourse, dwell: noCourse };

function replaced(
  state: StagesState,
  by: {
    readonly current: Tally | null;
    readonly held: Tally | null;
    readonly trip: Omit<TripTotals, "startedAt"> | null;
  },
): StagesState {
  const { mileage, trips } = state;
  const { reading, held, current } = mileage;
  return {
    ...state,
    trips:
      by.trip === null || trips.phase !== "driving"
        ? trips
        : { ...trips, course: courseWith(trips.course, by.trip.course), dwell: courseWith(trips.dwell, by.trip.dwell) },
    mileage: {
      reading,
      held: held && by.held && dayWith(held, by.held),
      current: current && by.current && dayWith(current, by.current),
    },
  };
}

function totalsOfDay({ day, gpsMm, gapMm, drivingMs, idleMs, tripCount, maxSpeedKmh, updatedAt }: DayTally): DayTotals {
  return { day, sums: [gpsMm, gapMm, drivingMs, idleMs, tripCount], maxima: [maxSpeedKmh, updatedAt] };
}

function dayWith(day: DayTally, { sums, maxima }: Tally): DayTally {
  const [gpsMm = 0, gapMm = 0, drivingMs = 0, idleMs = 0, tripCount = 0] = sums;
  const [maxSpeedKmh = null, updatedAt] = maxima;
  return { ...day, gpsMm, gapMm, drivingMs, idleMs, maxSpeedKmh, tripCount, updatedAt: updatedAt ?? 0 };
}

function tallyOfCourse({ distanceMm, idleMs, positionCount, maxSpeedKmh, maxImpliedKmh, updatedAt }: Course): Tally {
  return { sums: [distanceMm, idleMs, positionCount], maxima: [maxSpeedKmh, maxImpliedKmh, updatedAt] };
}

function courseWith(course: Course, { sums, maxima }: Tally): Course {
  const [distanceMm = 0, idleMs = 0, positionCount = 0] = sums;
  const [maxSpeedKmh = null, maxImpliedKmh = null, updatedAt] = maxima;
  return { ...course, distanceMm, idleMs, positionCount, maxSpeedKmh, maxImpliedKmh, updatedAt: updatedAt ?? 0 };
}

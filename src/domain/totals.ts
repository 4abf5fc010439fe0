import type { DayTally } from "./mileage/day-tally.ts";
import type { StagesState } from "./stages.ts";
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
      ? { startedAt, course: ofCourse.read(trips.course), dwell: ofCourse.read(trips.dwell) }
      : null;
  const totals = { current: current && dayTotals(current), held: held && dayTotals(held), trip };
  return { rest: replaced(state, { current: ofDay.none, held: ofDay.none, trip: trip && noTrip }), totals };
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

/** Which of a record's fields are totals. Their order is that of stored tallies: a new one comes last. */
function totalsIn<Name extends string>(sums: readonly Name[], maxima: readonly Name[]) {
  type Values = Readonly<Record<Name, number | null>>;
  return {
    none: { sums: sums.map(() => 0), maxima: maxima.map(() => null) },
    read: (record: Values): Tally => ({
      sums: sums.map((name) => record[name] ?? 0),
      maxima: maxima.map((name) => record[name]),
    }),
    write<Record extends Values>(record: Record, tally: Tally): Record {
      const changed: { [name in Name]?: number | null } = {};
      for (const [index, name] of sums.entries()) changed[name] = tally.sums[index] ?? 0;
      for (const [index, name] of maxima.entries()) changed[name] = tally.maxima[index] ?? null;
      return { ...record, ...changed };
    },
  };
}

const ofDay = totalsIn(["gpsMm", "gapMm", "drivingMs", "idleMs", "tripCount"], ["maxSpeedKmh", "updatedAt"]);
const ofCourse = totalsIn(["distanceMm", "idleMs", "positionCount"], ["maxSpeedKmh", "maxImpliedKmh", "updatedAt"]);
const noTrip = { course: ofCourse.none, dwell: ofCourse.none };

function dayTotals(day: DayTally): DayTotals {
  return { day: day.day, ...ofDay.read(day) };
}

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
        : {
            ...trips,
            course: ofCourse.write(trips.course, by.trip.course),
            dwell: ofCourse.write(trips.dwell, by.trip.dwell),
          },
    mileage: {
      reading,
      held: held && by.held && ofDay.write(held, by.held),
      current: current && by.current && ofDay.write(current, by.current),
    },
  };
}

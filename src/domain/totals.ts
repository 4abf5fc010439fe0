import type { DayTally } from "./mileage/day-tally.ts";
import type { StagesState } from "./stages.ts";
import type { OpenStop } from "./stops/stop-state.ts";
import type { Driving } from "./trips/trip-state.ts";
import { openTripStart } from "./trips/trips.ts";

/**
 * The sums and maxima of the open days and the open trip, separate from the rest of a state. No rule reads them once a
 * trip is long enough to be reported. So if a late frame changes only totals, the states after it need not be derived
 * again: each differs by the same amounts.
 */
export interface Totals {
  /** Of the open days, in ascending order. */
  readonly days: readonly DayTotals[];
  readonly trip: TripTotals | null;
  /** Of the open stop. */
  readonly stop: StopTotals | null;
}

interface Tally {
  readonly sums: readonly number[];
  readonly maxima: readonly (number | null)[];
}

interface DayTotals extends Tally {
  readonly day: number;
}

interface StopTotals extends Tally {
  readonly startedAt: number;
}

interface TripTotals {
  readonly startedAt: number;
  /** Legs that count by bounds over the whole trip. They are not only added up, so they must not differ. */
  readonly bounded: readonly number[];
  readonly course: Tally;
  readonly dwell: Tally;
}

export function splitTotals(state: StagesState): { readonly rest: StagesState; readonly totals: Totals } {
  const { mileage, trips } = state;
  const hasOneWay = trips.phase === "driving" && trips.leaving === null && trips.arrived === null;
  const startedAt = hasOneWay ? openTripStart(trips) : null;
  const trip = trips.phase === "driving" && startedAt !== null ? tripTotals(startedAt, trips) : null;
  const days = mileage.days.map(dayTotals);
  const stop = state.stops.open && stopTotals(state.stops.open);
  const none = { days: days.map(() => ofDay.none), trip: trip && noTrip, stop: stop && noStop };
  return { rest: replaced(state, none), totals: { days, trip, stop } };
}

/** The opposite of `splitTotals`. */
export function joinTotals(rest: StagesState, totals: Totals): StagesState {
  return replaced(rest, totals);
}

/**
 * The totals of a later state of the same device, where those of an earlier one turn out to be `after` instead of `before`.
 * Null if they cannot be known without the frames between, because a day, a trip or a stop ended or a maximum fell.
 */
export function carryTotals(before: Totals, after: Totals, later: Totals): Totals | null {
  const days = carryDays(before.days, after.days, later.days);
  const trip = carryTrip(before.trip, after.trip, later.trip);
  const stop = carryStop(before.stop, after.stop, later.stop);
  return days === undefined || trip === undefined || stop === undefined ? null : { days, trip, stop };
}

function carryDays(before: readonly DayTotals[], after: readonly DayTotals[], later: readonly DayTotals[]) {
  const carried = [...later];
  if (before.length !== after.length) return undefined;
  for (const [index, was] of before.entries()) {
    const is = after[index];
    if (isSame(was, is ?? null)) continue;
    const at = later.findIndex(({ day }) => day === was.day);
    const then = later[at];
    if (is?.day !== was.day || then === undefined) return undefined;
    const tally = carry(was, is, then);
    if (tally === undefined) return undefined;
    carried[at] = { day: then.day, ...tally };
  }
  return carried;
}

function carryTrip(before: TripTotals | null, after: TripTotals | null, later: TripTotals | null) {
  if (isSame(before, after)) return later;
  if (before === null || after === null || later?.startedAt !== before.startedAt) return undefined;
  if (!isSame(before.bounded, after.bounded) || !isEvenlyChanged(before, after)) return undefined;
  const course = carry(before.course, after.course, later.course);
  // A dwell is the course up to its first frame. One that began later has all that the course had.
  const isSameDwell = isSame(before.dwell, later.dwell);
  const dwell = isSameDwell ? after.dwell : carry(before.course, after.course, later.dwell);
  return course && dwell && { startedAt: later.startedAt, bounded: later.bounded, course, dwell };
}

function carryStop(before: StopTotals | null, after: StopTotals | null, later: StopTotals | null) {
  if (isSame(before, after)) return later;
  if (before === null || after?.startedAt !== before.startedAt || later?.startedAt !== before.startedAt)
    return undefined;
  const tally = carry(before, after, later);
  return tally && { startedAt: later.startedAt, ...tally };
}

/** If the vehicle turns out to stand, what it did since the dwell began is left out. So that must not have changed. */
function isEvenlyChanged(before: TripTotals, after: TripTotals): boolean {
  const change = (one: Tally, other: Tally, index: number) => (other.sums[index] ?? 0) - (one.sums[index] ?? 0);
  return before.course.sums.every(
    (_, index) => change(before.course, after.course, index) === change(before.dwell, after.dwell, index),
  );
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

const ofDay = totalsIn(
  ["gpsMm", "gapMm", "drivingMs", "idleMs", "tripCount", "coveredMm", "doubtMm", "carriedMm"],
  ["maxSpeedKmh", "updatedAt"],
);
const ofCourse = totalsIn(
  ["settledMm", "gapMm", "drivingMs", "idleMs", "positionCount"],
  ["maxSpeedKmh", "maxImpliedKmh", "updatedAt"],
);
const noTrip = { course: ofCourse.none, dwell: ofCourse.none };

const noStop: Tally = { sums: [0], maxima: [0] };

function stopTotals({ startedAt, ignition, updatedAt }: OpenStop): StopTotals {
  return { startedAt, sums: [ignition.countedMs], maxima: [updatedAt] };
}

function withStopTotals(stop: OpenStop, { sums: [countedMs = 0], maxima: [updatedAt] }: Tally): OpenStop {
  return { ...stop, ignition: { ...stop.ignition, countedMs }, updatedAt: updatedAt ?? 0 };
}

function dayTotals(day: DayTally): DayTotals {
  return { day: day.day, ...ofDay.read(day) };
}

function tripTotals(startedAt: number, { course, dwell }: Driving): TripTotals {
  const bounded = [course, dwell].flatMap(({ chordMm, trapezoidMm, longestMm, mostMm, slackMm, straight, lowMm }) => [
    chordMm,
    trapezoidMm,
    longestMm,
    mostMm,
    slackMm,
    straight.pairs,
    straight.byPlaces,
    straight.bySpeeds,
    lowMm,
  ]);
  return { startedAt, bounded, course: ofCourse.read(course), dwell: ofCourse.read(dwell) };
}

function replaced(
  state: StagesState,
  by: {
    readonly days: readonly Tally[];
    readonly trip: Pick<TripTotals, "course" | "dwell"> | null;
    readonly stop?: Tally | null;
  },
): StagesState {
  const { mileage, trips, stops } = state;
  const { reading, fits, days } = mileage;
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
    stops: by.stop && stops.open ? { ...stops, open: withStopTotals(stops.open, by.stop) } : stops,
    mileage: {
      reading,
      fits,
      days: days.map((day, index) => ofDay.write(day, by.days[index] ?? ofDay.none)),
    },
  };
}

import type { VehicleTruth } from "../../src/simulator/world.ts";
import type { Derived } from "./derived-world.ts";

/** A crossing is reported at its own moment, give or take the noise of the fixes around it. */
const crossingToleranceMs = 60_000;

/** What is reported of a fence that is left (or entered) for no longer than this is not always confirmed by two frames. */
const shortVisitMs = 60_000;
/** The edge is only touched: the product's own buffer is up to 50 m wide. */
const touchMetres = 50;
export const touchedOnly = "touched the edge only";

/** What happens in the last minutes is not looked at: the frames that confirm it are still to come. */
const confirmationMs = 180_000;

type Crossing = VehicleTruth["crossings"][number];

/** Something that differs, with the cause that explains it; null: nothing does. */
export interface Difference {
  readonly text: string;
  readonly cause: string | null;
}

export interface Comparison {
  readonly name: string;
  readonly days: readonly {
    readonly day: string;
    readonly km: number;
    readonly foundKm: number;
    readonly source: string;
  }[];
  /** Those over 500 m, and how many of them were found exactly once. */
  readonly trips: number;
  readonly foundTrips: number;
  readonly tripDifferences: readonly Difference[];
  readonly crossings: number;
  readonly foundCrossings: number;
  readonly crossingDifferences: readonly Difference[];
}

/** Holds what was derived of one vehicle against what really happened, up to a moment. */
export function compareVehicle(truth: VehicleTruth, derived: Derived, until: number): Comparison {
  return {
    name: truth.name,
    days: compareDays(truth, derived),
    ...compareTrips(truth, derived, until),
    ...compareCrossings(truth, derived, until),
  };
}

function compareDays({ kmByDay }: VehicleTruth, derived: Derived): Comparison["days"] {
  const found = new Map(derived.days.map((row) => [row.date, row]));
  const days = new Set([...Object.keys(kmByDay), ...found.keys()]);
  return [...days].sort().map((day) => {
    const row = found.get(day);
    return { day, km: kmByDay[day] ?? 0, foundKm: row?.distance_km ?? 0, source: row?.distance_source ?? "" };
  });
}

function compareTrips(truth: VehicleTruth, derived: Derived, until: number) {
  const long = truth.trips.filter(({ km, endedAt }) => km > 0.5 && endedAt < until);
  const found = derived.trips.map((trip) => ({ from: trip.started_at, to: trip.ended_at ?? until }));
  const differences: Difference[] = [];
  for (const trip of long) {
    const sharing = found.filter(({ from, to }) => sharedMs(trip, from, to) > 0.1 * (trip.endedAt - trip.startedAt));
    const isOnce = sharing.every(({ from, to }) => long.filter((one) => sharedMs(one, from, to) > 0).length === 1);
    if (sharing.length === 1 && isOnce) continue;
    const text = `${truth.name}: ${clock(trip.startedAt)} to ${clock(trip.endedAt)}, ${trip.km.toFixed(1)} km`;
    differences.push({
      text: `${text}: ${sharing.length} trips, each of ${isOnce ? "it alone" : "others, too"}`,
      cause: believedFaultWithin(truth, derived, trip.startedAt, trip.endedAt),
    });
  }
  const missed = differences.length;
  for (const { from, to } of found) {
    if (truth.trips.some((trip) => sharedMs(trip, from, to) > 0)) continue;
    differences.push({ text: `${truth.name}: ${clock(from)} to ${clock(to)} was not driven`, cause: null });
  }
  return { trips: long.length, foundTrips: long.length - missed, tripDifferences: differences };
}

/** What comes after a wrong place that is believed is a discontinuity, and that ends a trip. */
function believedFaultWithin({ faults }: VehicleTruth, { frames }: Derived, from: number, to: number): string | null {
  const wrong = new Set(
    faults.filter(({ kind }) => kind === "spike" || kind === "cold_start").flatMap((f) => f.frames),
  );
  const isBelieved = frames.some(({ recorded_at: at, valid }) => valid && at >= from && at <= to && wrong.has(at));
  return isBelieved ? "a wrong place was believed" : null;
}

function sharedMs(trip: { readonly startedAt: number; readonly endedAt: number }, from: number, to: number): number {
  return Math.min(trip.endedAt, to) - Math.max(trip.startedAt, from);
}

function compareCrossings(truth: VehicleTruth, derived: Derived, until: number) {
  const validAt = derived.frames.filter(({ valid }) => valid).map(({ recorded_at }) => recorded_at);
  const left = new Set(derived.crossings);
  const differences: Difference[] = [];
  const confirmed = truth.crossings.filter(({ at }) => at < until - confirmationMs);
  for (const crossing of confirmed) {
    const found = [...left]
      .filter((event) => event.geofence_id === crossing.fenceId && event.event_type === crossing.type)
      .filter(({ occurred_at }) => isAbout(occurred_at, crossing.at, validAt))
      .sort((one, other) => Math.abs(one.occurred_at - crossing.at) - Math.abs(other.occurred_at - crossing.at))[0];
    if (found !== undefined) left.delete(found);
    else {
      const text = `${truth.name}: ${crossing.type} ${crossing.fenceName} ${clock(crossing.at)} was missed`;
      const clear = `, ${crossing.clearMetres.toFixed(0)} m from the edge`;
      differences.push({ text: text + clear, cause: causeOfMiss(crossing, truth.crossings) });
    }
  }
  const missed = differences.length;
  for (const event of left) {
    if (event.occurred_at >= until - confirmationMs) continue;
    const text = `${truth.name}: ${event.event_type} ${event.geofence_id} ${clock(event.occurred_at)} did not happen`;
    differences.push({ text, cause: causeOfInvention(event, truth, validAt) });
  }
  const { length } = confirmed;
  return { crossings: length, foundCrossings: length - missed, crossingDifferences: differences };
}

/** The valid frames before and after a moment. */
function legAround(at: number, validAt: readonly number[]): readonly [number, number] {
  const after = validAt.findIndex((frameAt) => frameAt >= at);
  return [validAt[after - 1] ?? at, validAt[after] ?? at];
}

/** Nobody knows when on a leg without frames an edge was crossed. */
function isAbout(reportedAt: number, at: number, validAt: readonly number[]): boolean {
  const [from, to] = legAround(reportedAt, validAt);
  return at >= Math.min(from, reportedAt - crossingToleranceMs) && at <= Math.max(to, reportedAt + crossingToleranceMs);
}

function causeOfMiss(crossing: Crossing, all: readonly Crossing[]): string | null {
  if (crossing.clearMetres < touchMetres) return touchedOnly;
  const ofFence = all.filter(({ fenceId }) => fenceId === crossing.fenceId);
  const isShort = ofFence.some((other) => other !== crossing && Math.abs(other.at - crossing.at) < shortVisitMs);
  return isShort ? "in or out for less than a minute" : null;
}

function causeOfInvention(
  { occurred_at, interpolated }: Derived["crossings"][number],
  { faults }: VehicleTruth,
  validAt: readonly number[],
): string | null {
  const [from, to] = legAround(occurred_at, validAt);
  const during = faults.filter((fault) => fault.at <= to && fault.until >= from).map(({ kind }) => kind);
  if (interpolated && during.includes("tunnel")) return "interpolated through a tunnel";
  return during.includes("cold_start") ? "a wrong first fix was believed" : null;
}

export function clock(at: number): string {
  return new Date(at).toISOString().slice(5, 19);
}

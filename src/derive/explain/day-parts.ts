import type { TripFact } from "../../domain/facts.ts";
import { type DayTally, emptyDay } from "../../domain/mileage/day-tally.ts";
import { type MileageState, stepMileage } from "../../domain/mileage/mileage.ts";
import type { Sighting } from "../../domain/sighting.ts";
import type { Zone } from "../../domain/time/time-zone.ts";
import type { MileageDelta } from "../../domain/trips/mileage-delta.ts";
import { openDeltas, openTrip } from "../../domain/trips/trips.ts";
import type { Retrace } from "./retrace.ts";

/** What a part of a day's mileage comes from. `gone`: from frames that are not stored any more. */
export type PartKind = "gone" | "trip" | "short_move" | "unseen" | "idle";

/** A part of a day's mileage. All parts of a day add up to its row, exactly. */
export interface DayPart extends MileageDelta {
  readonly kind: PartKind;
  readonly tripStartedAt: number | null;
}

/** The day as the positions give it, and what it is made of. Null if the frames show no such day. */
export interface DayTraced {
  readonly tally: DayTally;
  /** Whether the odometer was right on the days before. */
  readonly fittedBefore: boolean | null;
  readonly parts: readonly DayPart[];
  /** The reported trips among the frames, over or not. */
  readonly trips: readonly TripFact[];
}

export function traceDay(traced: Retrace, day: number, zone: Zone): DayTraced | null {
  const { base, frames, tip, isAtEnd, silentAt } = traced;
  const trips = tripsOf(traced);
  const parts: DayPart[] = [];
  const add = (delta: MileageDelta, mileage: MileageState, sighting: Sighting) => {
    const part = partOfDay(delta, mileage, sighting, day, zone);
    if (part !== null) append(parts, { ...part, ...originOf(delta, trips) });
  };
  let tally = tallyOf(base.mileage, day);
  let fittedBefore = base.mileage.fits;
  if (tally !== null && (tally.gpsMm > 0 || tally.drivingMs > 0 || tally.idleMs > 0)) {
    const { gpsMm, gapMm, drivingMs, idleMs, carriedMm } = tally;
    const [from, to] = [zone.startOf(day), base.previous?.at ?? zone.startOf(day)];
    parts.push({ kind: "gone", tripStartedAt: null, from, to, distanceMm: gpsMm, gapMm, drivingMs, idleMs, carriedMm });
  }
  for (const { sighting, before, deltas } of frames) {
    for (const delta of deltas) add(delta, before.mileage, sighting);
    const held = tallyOf(heldOpen(before.mileage, sighting, deltas, day, zone), day);
    if (held === null) continue;
    tally = held;
    fittedBefore = before.mileage.fits;
  }
  const last = frames.at(-1)?.sighting;
  if (last !== undefined && isAtEnd) {
    const again: Sighting = { ...last, fix: null };
    const deltas = openDeltas(tip.trips, silentAt);
    for (const delta of deltas) add(delta, tip.mileage, again);
    tally = tallyOf(heldOpen(tip.mileage, again, deltas, day, zone), day) ?? tally;
  }
  return tally && { tally, fittedBefore, parts, trips };
}

/** Adds a part to the list, or to the one before if it goes on with that. */
function append(parts: DayPart[], part: DayPart): void {
  const last = parts.at(-1);
  const goesOn = last?.kind === part.kind && last.tripStartedAt === part.tripStartedAt && last.to === part.from;
  if (last === undefined || !goesOn) parts.push(part);
  else parts[parts.length - 1] = { ...last, to: part.to, ...sums((name) => last[name] + part[name]) };
}

function tripsOf({ frames, tip, isAtEnd, silentAt }: Retrace): TripFact[] {
  const over = frames.flatMap(({ facts }) => facts.filter((fact) => fact.kind === "trip"));
  const open = openTrip(tip.trips, isAtEnd ? silentAt : null);
  return open === null ? over : [...over, open];
}

/** The part of a delta that the day counts, by the rule itself: the day with this delta, less the day without it. */
function partOfDay(
  delta: MileageDelta,
  mileage: MileageState,
  sighting: Sighting,
  day: number,
  zone: Zone,
): MileageDelta | null {
  const [without, withIt] = [[], [delta]].map((deltas) => tallyOf(heldOpen(mileage, sighting, deltas, day, zone), day));
  if (!withIt) return null;
  const before = without ?? emptyDay(day, 0);
  const inDay = (name: Sum) => (name === "distanceMm" ? "gpsMm" : name);
  const part = { from: delta.from, to: delta.to, ...sums((name) => withIt[inDay(name)] - before[inDay(name)]) };
  return part.distanceMm === 0 && part.drivingMs === 0 && part.idleMs === 0 && part.carriedMm === 0 ? null : part;
}

type Sum = "distanceMm" | "gapMm" | "drivingMs" | "idleMs" | "carriedMm";

function sums(of: (name: Sum) => number): Record<Sum, number> {
  return {
    distanceMm: of("distanceMm"),
    gapMm: of("gapMm"),
    drivingMs: of("drivingMs"),
    idleMs: of("idleMs"),
    carriedMm: of("carriedMm"),
  };
}

/** The days after a frame, with this one still open, so that its sums can be read. */
function heldOpen(mileage: MileageState, sighting: Sighting, deltas: readonly MileageDelta[], day: number, zone: Zone) {
  const held = zone.startOf(day);
  return stepMileage(
    mileage,
    sighting,
    { ended: [], deltas, isUnderWay: false, earliestStart: null, countedUntil: held },
    zone,
  ).state;
}

function tallyOf({ days }: MileageState, day: number): DayTally | null {
  return days.find((tally) => tally.day === day) ?? null;
}

function originOf(delta: MileageDelta, trips: readonly TripFact[]): Pick<DayPart, "kind" | "tripStartedAt"> {
  const trip = trips.find(({ startedAt, endedAt }) => delta.from >= startedAt && delta.to <= (endedAt ?? delta.to));
  if (trip !== undefined) return { kind: "trip", tripStartedAt: trip.startedAt };
  if (delta.distanceMm === 0 && delta.drivingMs === 0) return { kind: "idle", tripStartedAt: null };
  return { kind: delta.gapMm === delta.distanceMm ? "unseen" : "short_move", tripStartedAt: null };
}

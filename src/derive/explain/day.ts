import { metresBetween } from "../../domain/geometry/distance.ts";
import { type DayTally, fitOf, odometerMmOf } from "../../domain/mileage/day-tally.ts";
import { isSteadyStep } from "../../domain/mileage/odometer.ts";
import type { Zone } from "../../domain/time/time-zone.ts";
import { type DayPart, type DayTraced, type PartKind, traceDay } from "./day-parts.ts";
import type { Retrace, TracedFrame } from "./retrace.ts";
import {
  duration,
  type ExplainedSection,
  kilometres,
  length,
  near,
  notBelieved,
  receiptTimes,
  span,
  sum,
  writtenInstant,
} from "./words.ts";

/** What a day's mileage is made of, and what was left out. */
interface DayExplained {
  readonly sections: readonly ExplainedSection[];
  readonly parts: readonly DayPart[];
}

export function explainDay(traced: Retrace, day: number, zone: Zone): DayExplained | null {
  const found = traceDay(traced, day, zone);
  if (found === null) return null;
  const [from, to] = [zone.startOf(day), zone.startOf(day + 1)];
  const during = traced.frames.filter(({ sighting: { frame } }) => frame.recordedAt >= from && frame.recordedAt < to);
  return {
    parts: found.parts,
    sections: [
      { title: "Day", lines: [`${writtenInstant(from)} to ${writtenInstant(to)}, a day in ${zone.name}.`] },
      { title: "Trips", lines: tripLines(found, from) },
      { title: "Outside trips", lines: otherLines(found.parts, from) },
      { title: "Distance", lines: distance(found, during) },
      { title: "Time", lines: times(found) },
      { title: "Not counted", lines: notCounted(during, from) },
      ...receiptTimes(during, from),
    ],
  };
}

function tripLines({ parts, trips }: DayTraced, from: number): string[] {
  const lines = trips.flatMap(({ startedAt, endedAt, distanceMm }) => {
    const own = parts.filter((part) => part.tripStartedAt === startedAt);
    if (own.length === 0) return [];
    const mm = sum(own.map((part) => part.distanceMm));
    const until = endedAt === null ? "now" : near(endedAt, from);
    const whole = mm === distanceMm ? "" : ` of its ${kilometres(distanceMm)}, the rest is of another day`;
    return [`${near(startedAt, from)} to ${until}: ${kilometres(mm)}${whole}.`];
  });
  return lines.length === 0 ? ["None."] : lines;
}

const others: Readonly<Partial<Record<PartKind, string>>> = {
  gone: "from frames that are not stored any more",
  short_move: "a move too short to be a trip",
  unseen: "driven unseen before a trip, straight to where it was seen again",
};

function otherLines(parts: readonly DayPart[], other: number): string[] {
  const lines = parts
    .filter(({ kind, distanceMm, drivingMs }) => kind in others && (distanceMm > 0 || drivingMs > 0))
    .map(({ kind, from, to, distanceMm }) => `${span(from, to, other)}: ${kilometres(distanceMm)}, ${others[kind]}.`);
  return lines.length === 0 ? ["Nothing was driven outside reported trips."] : lines;
}

function distance({ tally, fittedBefore }: DayTraced, during: readonly TracedFrame[]): string[] {
  const { gpsMm, gapMm } = tally;
  const unseen = gapMm > 0 ? `, ${kilometres(gapMm)} of it unseen` : "";
  return [
    `${kilometres(gpsMm)} by the positions, the sum of the above${unseen}.`,
    ...odometerUse(tally, fittedBefore, during),
  ];
}

function times({ tally, parts }: DayTraced): string[] {
  const inTrips = sum(parts.filter(({ kind }) => kind === "trip").map(({ idleMs }) => idleMs));
  return [
    `Driving: ${duration(tally.drivingMs)}.`,
    `Standing with the engine running: ${duration(tally.idleMs)}, ${duration(inTrips)} of it on trips.`,
  ];
}

function notCounted(during: readonly TracedFrame[], other: number): string[] {
  const lines: string[] = [];
  const metres = sum(during.map(driftMetres));
  if (metres >= 1) lines.push(`Positions wavered by ${length(metres)} while it was parked.`);
  for (const { sighting } of during) {
    const { fix, previous, verdict } = sighting;
    if (!verdict.discontinuity || fix === null || previous === null) continue;
    const carried = length(metresBetween(previous, fix));
    lines.push(`At ${near(fix.at, other)} it was ${carried} away, which it cannot have driven: it was carried there.`);
  }
  lines.push(...notBelieved(during, other));
  return lines.length === 0 ? ["All frames were believed, and nothing wavered."] : lines;
}

/** How far a position of a parked vehicle is from the one before. */
function driftMetres({ sighting: { leg }, before, after }: TracedFrame): number {
  const isParked = [before.trips, after.trips].every((state) => state.phase === "stopped" && state.leaving === null);
  return isParked && leg !== null ? leg.metres : 0;
}

/** Whether a day's distance is the odometer's, how much of it is not, and why. */
function odometerUse(tally: DayTally, fittedBefore: boolean | null, during: readonly TracedFrame[]): string[] {
  const { odometer, gpsMm, coveredMm, earlierMm } = tally;
  if (odometer === null) return ["No odometer was reported."];
  const shownMm = odometer.endMm - odometer.startMm - (earlierMm ?? 0);
  const shown = kilometres(shownMm);
  const besidesMm = gpsMm - coveredMm;
  const part = besidesMm === 0 ? "" : ` for ${kilometres(coveredMm)} of it`;
  const usedMm = odometerMmOf(tally, fittedBefore);
  if (usedMm !== null && besidesMm === 0) return [`The odometer shows ${shown}, which agrees: the day has that.`];
  if (usedMm !== null) {
    const [besides, whole] = [kilometres(besidesMm), kilometres(usedMm + besidesMm)];
    const unread = `The other ${besides} were driven before or after its readings and count by the positions`;
    return [`The odometer shows ${shown}${part}, which agrees. ${unread}: the day has ${whole}.`];
  }
  if (!odometer.isSpan) return ["The odometer was read only once, so it is not used."];
  if (!odometer.isSteady) return ["The odometer is not used:", ...unsteadySteps(during)];
  if (fitOf(tally) === null)
    return [`The odometer shows ${shown}${part}. It is not used, because it was wrong on days before.`];
  const apart = kilometres(Math.abs(shownMm - coveredMm));
  return [`The odometer shows ${shown}${part}. It is not used, because that is ${apart} apart.`];
}

function unsteadySteps(during: readonly TracedFrame[]): string[] {
  const lines = during.flatMap(({ before, after }) => {
    const [last, next] = [before.mileage.reading, after.mileage.reading];
    if (last === null || next === null || last === next || isSteadyStep(last, next)) return [];
    const mm = next.mm - last.mm;
    const how =
      mm < 0 ? `fell by ${kilometres(-mm)}` : `jumped ahead by ${kilometres(mm)} in ${duration(next.at - last.at)}`;
    return [`At ${writtenInstant(next.at)} it ${how}, from ${kilometres(last.mm)} to ${kilometres(next.mm)}.`];
  });
  return lines.length === 0 ? ["It fell or jumped in frames that are not stored any more."] : lines;
}

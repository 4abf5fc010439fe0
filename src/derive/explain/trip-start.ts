import type { TripFact } from "../../domain/facts.ts";
import { metresBetween, type Place } from "../../domain/geometry/distance.ts";
import type { Fix, Leg } from "../../domain/sighting.ts";
import { dwellMetres } from "../../domain/trips/course.ts";
import { lastStand } from "../../domain/trips/movement.ts";
import { placeOf } from "../../domain/trips/stand.ts";
import { isTowed, type TripState } from "../../domain/trips/trips.ts";
import type { Retrace, TracedFrame } from "./retrace.ts";
import { duration, instant, length, near, place, speed } from "./words.ts";

/** Where and when a trip started, and by which rule. */
export function tripStart({ frames }: Retrace, { startedAt, start }: TripFact): string[] {
  const lines = [`${instant(startedAt)} at ${place(start)}.`];
  const shown = frames.find(({ after }) => startIn(after.trips) === startedAt);
  const left = frames.find((frame) => hasLeft(frame, startedAt));
  const { fix, leg, verdict } = shown?.sighting ?? {};
  const stop = shown && (leg === null ? fix : standIn(shown.before.trips));
  if (!shown || !left || !fix || !stop) return [...lines, "The frames that show why are not stored any more."];
  if (leg) lines.push(...rule(startedAt, fix, leg, stop, hasComeOn(shown)));
  else lines.push(verdict?.discontinuity ? "It had been carried there." : "That is the device's first position.");
  const gone = left.sighting.fix;
  if (left !== shown && gone !== null) lines.push(`${seen(gone, stop, startedAt)}: it had left.`);
  if (isTowed(left.after.trips)) lines.push("Its ignition was off: it was towed.");
  return lines;
}

function rule(startedAt: number, fix: Fix, leg: Leg, stop: Place, isOn: boolean): string[] {
  const ms = fix.at - startedAt;
  const earlier = duration(leg.ms);
  if (ms === 0 && metresBetween(stop, fix) <= dwellMetres) {
    return [isOn ? "The ignition came on then, at its stop." : "Then it was last at its stop."];
  }
  if (ms === 0) {
    return [
      `It was last seen ${earlier} before, ${length(leg.metres)} away. Nobody knows when it left: the trip starts where it is seen.`,
      "What it drove before counts for the day, not for the trip.",
    ];
  }
  const first = `${seen(fix, stop, startedAt)}.`;
  if (ms >= leg.ms) return [first, `The start is the frame before, ${duration(ms)} earlier.`];
  return [
    first,
    `The start is reckoned ${duration(ms)} before that, the time to come so far: the frame before is ${earlier} older.`,
  ];
}

function seen(fix: Fix, stop: Place, other: number): string {
  const at = fix.speedKmh === null ? "" : ` at ${speed(fix.speedKmh)}`;
  return `At ${near(fix.at, other)} it was ${length(metresBetween(stop, fix))} from its stop${at}`;
}

function hasLeft({ before, after, facts }: TracedFrame, startedAt: number): boolean {
  if (facts.some((fact) => fact.kind === "trip" && fact.startedAt === startedAt)) return true;
  return before.trips !== after.trips && after.trips.phase === "driving" && after.trips.start.at === startedAt;
}

function hasComeOn({ before, sighting }: TracedFrame): boolean {
  return before.trips.phase === "stopped" && before.trips.isIgnitionOff && sighting.fix?.ignition === true;
}

function startIn(state: TripState): number | null {
  return state.phase === "unknown" ? null : state.start.at;
}

/** Where the vehicle stood, or came to stand. */
function standIn(state: TripState): Place | null {
  if (state.phase === "unknown") return null;
  if (state.phase === "stopped") return placeOf(state.stand);
  return placeOf(lastStand(state.phase === "driving" ? state : state.movement));
}

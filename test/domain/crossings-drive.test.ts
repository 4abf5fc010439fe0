import { expect, test } from "bun:test";
import { type CrossingState, initialCrossings, stepCrossings } from "../../src/domain/crossings/crossings.ts";
import type { DeviceFences, FenceInForce } from "../../src/domain/device-context.ts";
import { type CrossingFact, factKey } from "../../src/domain/facts.ts";
import { earthRadiusMetres } from "../../src/domain/geometry/bounding-box.ts";
import { metresBetween, type Place } from "../../src/domain/geometry/distance.ts";
import { prepareFence } from "../../src/domain/geometry/fence-area.ts";
import type { FenceShape } from "../../src/domain/geometry/fence-shape.ts";
import { noTrail } from "../../src/domain/motion.ts";
import { type Fix, sight } from "../../src/domain/sighting.ts";
import { accepted, acceptedDiscontinuity } from "../../src/domain/verdict.ts";
import { frameWith } from "./support/quality-frames.ts";
import { circleOf } from "./support/shapes.ts";

/** Drives past fences for the other tests of crossings: most of them along one meridian, in metres north of home. */

export const home: Place = { latitude: 50, longitude: 10 };
export const noon = Date.UTC(2026, 5, 1, 12);
const metresPerDegree = (earthRadiusMetres * Math.PI) / 180;

export function placeAt(north: number, east = 0, origin = home): Place {
  const latitude = origin.latitude + north / metresPerDegree;
  const shrink = Math.cos((origin.latitude * Math.PI) / 180);
  return { latitude, longitude: origin.longitude + east / metresPerDegree / shrink };
}

export function circle(radiusM: number, centre = home): FenceShape {
  return circleOf([centre.longitude, centre.latitude], radiusM);
}

/** One fence over time: from when, its shape (null: the device is not assigned to it then). */
export type Plan = readonly (readonly [from: number, shape: FenceShape | null])[];

/** The fences of one device by a plain look at each, near or not. */
export function plainFences(plans: Readonly<Record<string, Plan>>): DeviceFences {
  const all = new Map(Object.entries(plans).map(([id, plan]) => [id, inForce(id, plan)]));
  const find = (id: string, at: number) => all.get(id)?.findLast(({ from }) => from <= at)?.fence ?? null;
  const near = (at: number) => [...all.keys()].flatMap((id) => find(id, at) ?? []);
  const edits = [...all.values()].flatMap((versions) => versions.map(({ from }) => from));
  return { find, near, unchangedSince: Math.max(...edits) };
}

/** As the index says it: a shape that comes again has been there all the time, even if the device was not assigned. */
function inForce(id: string, plan: Plan): { from: number; fence: FenceInForce | null }[] {
  let before: FenceInForce | null = null;
  let last: { shape: FenceShape; from: number } | null = null;
  let firstAssignedFrom: number | null = null;
  return plan.map(([second, shape], index) => {
    const from = index === 0 ? Number.NEGATIVE_INFINITY : noon + second * 1000;
    if (shape !== null) firstAssignedFrom ??= from;
    if (shape !== null && shape !== last?.shape) last = { shape, from };
    const assignedFrom: number = before?.assignedFrom ?? from;
    const known = { id, name: id, versionFrom: last?.from ?? from, assignedFrom };
    const area = shape && prepareFence(shape);
    before = area && { ...known, area, firstAssignedFrom: firstAssignedFrom ?? from };
    return { from, fence: before };
  });
}

/** One fence over time. */
export function changing(...plan: Plan): DeviceFences {
  return plainFences({ fence: plan });
}

/** One circle of 1000 m around home, always assigned. */
export const circleAtHome = plainFences({ fence: [[0, circle(1000)]] });

export interface Seen extends Place {
  readonly second: number;
  readonly accuracyM?: number;
  readonly speedKmh?: number;
  readonly stop?: Place | null;
  readonly isElsewhere?: boolean;
  readonly isInvalid?: boolean;
}

/** A frame so many metres north of home. */
export function seen(second: number, north: number, more: Partial<Seen> = {}): Seen {
  return { second, ...placeAt(north), ...more };
}

export interface Drive {
  readonly state: CrossingState;
  readonly previous: Fix | null;
  readonly facts: readonly CrossingFact[];
}

export const atStart: Drive = { state: initialCrossings, previous: null, facts: [] };

/** Drives on; `between` may replace the state after each frame. */
export function drive(
  fences: DeviceFences,
  frames: readonly Seen[],
  before: Drive = atStart,
  between = (state: CrossingState) => state,
): Drive {
  const facts: CrossingFact[] = [...before.facts];
  let { state, previous } = before;
  for (const { latitude, longitude, second, accuracyM, speedKmh, stop, isElsewhere, isInvalid } of frames) {
    const at = noon + second * 1000;
    const frame = frameWith({
      latitude,
      longitude,
      speed_kmh: speedKmh ?? null,
      accuracy_m: accuracyM ?? null,
      recordedAt: at,
    });
    const good = isElsewhere ? acceptedDiscontinuity : accepted;
    const verdict = isInvalid ? { valid: false, rejectReason: "spike" as const, discontinuity: false } : good;
    const sighting = sight({ frame, verdict, speedKmh: speedKmh ?? null }, previous, noTrail);
    const step = stepCrossings(state, sighting, stop ?? null, fences);
    facts.push(...step.facts);
    state = between(step.state);
    previous = sighting.fix ?? previous;
  }
  return { state, previous, facts };
}

/** The events in a word each: the type and the second. */
export function eventsIn({ facts }: Drive): string[] {
  return facts.map(({ eventType, occurredAt }) => `${eventType} ${(occurredAt - noon) / 1000}`);
}

/** Whatever else holds, per fence: strictly ascending times, enter and exit by turns, no key twice. */
export function expectInOrder({ facts }: Drive): void {
  expect(new Set(facts.map(factKey)).size).toBe(facts.length);
  for (const events of Map.groupBy(facts, ({ fenceId }) => fenceId).values()) {
    for (const [index, event] of events.entries()) {
      const next = events[index + 1];
      if (next === undefined) break;
      expect(next.occurredAt).toBeGreaterThan(event.occurredAt);
      expect(next.eventType).not.toBe(event.eventType);
    }
  }
}

test("metres north of home are metres", () => {
  expect(metresBetween(home, placeAt(1000))).toBeCloseTo(1000, 6);
  expect(metresBetween(home, placeAt(0, 1000))).toBeCloseTo(1000, 3);
});

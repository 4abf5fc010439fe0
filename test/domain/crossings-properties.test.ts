import { expect, test } from "bun:test";
import fc from "fast-check";
import { fencesInside } from "../../src/domain/crossings/crossings.ts";
import type { CrossingFact } from "../../src/domain/facts.ts";
import type { Place } from "../../src/domain/geometry/distance.ts";
import type { FenceShape } from "../../src/domain/geometry/fence-shape.ts";
import type { Position } from "../../src/domain/geometry/geojson.ts";
import { degreesEast } from "../../src/domain/geometry/longitudes.ts";
import { forAll } from "../support/for-all.ts";
import {
  atStart,
  drive,
  expectInOrder,
  home,
  noon,
  type Plan,
  placeAt,
  plainFences,
  type Seen,
} from "./crossings-drive.test.ts";
import { circleOf, corridorOf, polygonOf } from "./support/shapes.ts";

type ShapeAt = (origin: Place) => FenceShape;

const within = (metres: number) => fc.integer({ min: -metres, max: metres });
const spot = fc.tuple(within(1500), within(1500));
const positionAt = (origin: Place, [north, east]: readonly [number, number]): Position => {
  const { latitude, longitude } = placeAt(north, east, origin);
  return [degreesEast(0, longitude), latitude];
};

const shape: fc.Arbitrary<ShapeAt> = fc.oneof(
  fc.tuple(spot, fc.integer({ min: 20, max: 900 })).map(([middle, radius]) => (origin: Place) => {
    return circleOf(positionAt(origin, middle), radius);
  }),
  fc
    .tuple(spot, fc.integer({ min: 20, max: 900 }), fc.integer({ min: 20, max: 900 }))
    .map(([[north, east], height, width]) => (origin: Place): FenceShape => {
      const corners = [
        [0, 0],
        [0, width],
        [height, width],
        [height / 3, width / 3],
        [height, 0],
        [0, 0],
      ] as const;
      return polygonOf(corners.map(([up, right]) => positionAt(origin, [north + up, east + right])));
    }),
  fc
    .tuple(fc.array(spot, { minLength: 2, maxLength: 4 }), fc.integer({ min: 2, max: 300 }))
    .map(([line, widthM]) => (origin: Place) => {
      return corridorOf(
        line.map((vertex) => positionAt(origin, vertex)),
        widthM,
      );
    }),
);

interface Step {
  readonly ms: number;
  readonly by: readonly [north: number, east: number];
  readonly accuracyM: number | null;
  readonly isStopped: boolean;
  readonly isElsewhere: boolean;
}

const steps = (elsewhere: number) =>
  fc.array(
    fc.record({
      ms: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(1000, 10_000, 10_000, 30_000) },
        { weight: 2, arbitrary: fc.constantFrom(0, 1, 2, 60_000, 60_001, 300_000, 300_001, 900_000, 900_001) },
      ),
      by: fc.oneof(
        { weight: 3, arbitrary: fc.tuple(within(60), within(60)) },
        { weight: 2, arbitrary: fc.tuple(within(800), within(800)) },
      ),
      accuracyM: fc.constantFrom(null, 5, 30, 90),
      isStopped: fc.boolean(),
      isElsewhere: fc.integer({ min: 0, max: 99 }).map((dice) => dice < elsewhere),
    }),
    { minLength: 5, maxLength: 60 },
  );

/** A walk around home, which now and then comes to a stop and stays there for a while. */
function walk(parts: readonly Step[], origin = home): Seen[] {
  let [north, east, ms] = [0, 0, 0];
  let stop: Place | null = null;
  return parts.map((part, index) => {
    ms += part.ms;
    const isStopped = part.isStopped && parts[index - 1]?.isStopped === true;
    north = Math.max(-2000, Math.min(2000, north + part.by[0] * (isStopped ? 0.2 : 1)));
    east = Math.max(-2000, Math.min(2000, east + part.by[1] * (isStopped ? 0.2 : 1)));
    const [longitude, latitude] = positionAt(origin, [north, east]);
    stop = isStopped ? (stop ?? { latitude, longitude }) : null;
    const accuracy = part.accuracyM === null ? {} : { accuracyM: part.accuracyM };
    return { second: ms / 1000, latitude, longitude, stop, isElsewhere: part.isElsewhere, ...accuracy };
  });
}

const fenceIds = ["a", "b", "c", "d"] as const;
const lasting = fc.array(shape, { minLength: 1, maxLength: 4 });
const edited = fc.array(
  fc.array(fc.tuple(fc.integer({ min: 0, max: 1500 }), fc.option(shape, { freq: 3 })), { minLength: 1, maxLength: 4 }),
  { minLength: 1, maxLength: 4 },
);

function plansOf(fences: readonly (readonly (readonly [number, ShapeAt | null])[])[], origin = home) {
  const plans: Record<string, Plan> = {};
  for (const [index, versions] of fences.entries()) {
    const inOrder = versions.toSorted(([one], [other]) => one - other);
    plans[fenceIds[index] ?? "e"] = inOrder.map(([from, make]) => [from, make?.(origin) ?? null] as const);
  }
  return plans;
}
const always = (shapes: readonly ShapeAt[]) => shapes.map((make) => [[0, make] as const]);

test("enter and exit alternate and never share a moment, whatever is edited, carried or stopped", () => {
  forAll(400, [steps(8), edited], (parts, plans) => {
    expectInOrder(drive(plainFences(plansOf(plans)), walk(parts)));
  });
});

test("a state that went through JSON at any frame goes on as if it had not, and is never changed", () => {
  forAll(200, [steps(5), edited], (parts, plans) => {
    const fences = plainFences(plansOf(plans));
    const frames = walk(parts);
    const states: [object, string][] = [];
    const whole = drive(fences, frames, atStart, (state) => {
      states.push([state, JSON.stringify(state)]);
      return state;
    });
    for (const [state, text] of states) expect(JSON.stringify(state)).toBe(text);
    const cut = drive(fences, frames, atStart, (state) => {
      const copy = JSON.parse(JSON.stringify(state));
      expect(copy).toEqual(state);
      return copy;
    });
    expect(cut.facts).toEqual(whole.facts);
    expect(JSON.stringify(cut.state)).toBe(JSON.stringify(whole.state));
  });
});

test("the device is inside of those fences that it last entered, if nothing was silent", () => {
  forAll(200, [steps(0), lasting], (parts, shapes) => {
    const frames = walk(parts);
    const far = { ...placeAt(50_000), second: -1000 };
    const { state, facts } = drive(plainFences(plansOf(always(shapes))), [far, ...frames]);
    const last = new Map<string, CrossingFact>();
    for (const fact of facts) last.set(fact.fenceId, fact);
    const entered = [...last.values()].filter(({ eventType }) => eventType === "enter").map(({ fenceId }) => fenceId);
    expect([...fencesInside(state)]).toEqual(entered.sort());
  });
});

test("an event lies on the way, not after the frame that gave reason for it, and a time inside is what passed", () => {
  forAll(150, [steps(3), lasting], (parts, shapes) => {
    const frames = walk(parts);
    const { facts } = drive(plainFences(plansOf(always(shapes))), frames);
    const lastAt = noon + (frames.at(-1)?.second ?? 0) * 1000;
    const enteredAt = new Map<string, number>();
    for (const { fenceId, eventType, occurredAt, dwellMs } of facts) {
      expect(occurredAt).toBeGreaterThan(noon);
      expect(occurredAt).toBeLessThanOrEqual(lastAt);
      if (eventType === "enter") enteredAt.set(fenceId, occurredAt);
      if (dwellMs !== null) expect(dwellMs).toBeGreaterThan(0);
      if (dwellMs !== null && parts.every(({ isElsewhere }) => !isElsewhere)) {
        expect(dwellMs).toBe(occurredAt - (enteredAt.get(fenceId) ?? 0));
      }
    }
  });
});

test("an edit changes nothing that was driven before it", () => {
  forAll(150, [steps(3), lasting, shape, fc.nat(1500)], (parts, shapes, other, second) => {
    const frames = walk(parts);
    const lastBefore = frames.findLast((frame) => frame.second < second)?.second ?? Number.NEGATIVE_INFINITY;
    const plans = always(shapes);
    const without = drive(plainFences(plansOf(plans)), frames);
    for (const edit of [other, null]) {
      const withEdit = drive(plainFences(plansOf(plans.map((plan) => [...plan, [second, edit] as const]))), frames);
      const soFar = (facts: readonly CrossingFact[]) =>
        facts.filter(({ occurredAt }) => occurredAt <= noon + lastBefore * 1000);
      const before = soFar(without.facts);
      const now = soFar(withEdit.facts);
      // An exit is put at the edge; while the vehicle is still in the buffer at the time of the edit, it is none yet. Nor
      // is an entry of a vehicle that stands: what it drifts into counts from when it drives on there.
      const isLate = ({ eventType, occurredAt }: CrossingFact) =>
        eventType === "exit" || frames.find(({ second }) => noon + second * 1000 >= occurredAt)?.stop != null;
      // A visit with one frame inside goes on in the buffer; the edit ends it where it went out.
      const isCutShort = ({ fenceId, eventType }: CrossingFact) =>
        eventType === "exit" && before.findLast((fact) => fact.fenceId === fenceId)?.eventType === "enter";
      // By another frame it may have been known earlier or later.
      const isSame = (one: CrossingFact, other: CrossingFact) =>
        Bun.deepEquals({ ...one, receivedAt: 0, updatedAt: 0 }, { ...other, receivedAt: 0, updatedAt: 0 });
      const isNew = (fact: CrossingFact) => !before.some((same) => isSame(same, fact));
      // What was not known by then may turn out otherwise: a frame after the edit may confirm an entry, or not.
      const wasKnown = ({ receivedAt }: CrossingFact) => receivedAt <= noon + lastBefore * 1000;
      expect(now.filter((fact) => wasKnown(fact) && isNew(fact) && !isCutShort(fact))).toEqual([]);
      const missing = before.filter((fact) => wasKnown(fact) && !now.some((same) => isSame(same, fact)));
      expect(missing.filter((fact) => !isLate(fact))).toEqual([]);
    }
  });
});

test("it does not matter where on the globe all of it happens, the antimeridian included", () => {
  forAll(150, [steps(3), lasting, fc.constantFrom(180, -180, 179.999, -179.99, 60.123)], (parts, shapes, longitude) => {
    const there = { latitude: home.latitude, longitude };
    const here = drive(plainFences(plansOf(always(shapes))), walk(parts)).facts;
    const moved = drive(plainFences(plansOf(always(shapes), there)), walk(parts, there)).facts;
    const words = (facts: readonly CrossingFact[]) => facts.map(({ fenceId, eventType }) => `${fenceId} ${eventType}`);
    expect(words(moved)).toEqual(words(here));
    for (const [index, { occurredAt }] of here.entries()) {
      expect(Math.abs((moved[index]?.occurredAt ?? 0) - occurredAt)).toBeLessThanOrEqual(1);
    }
  });
});

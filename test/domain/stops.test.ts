import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AccountFences } from "../../src/derive/fence-index.ts";
import type { DeviceContext } from "../../src/domain/device-context.ts";
import type { Fact, StopFact, TripFact } from "../../src/domain/facts.ts";
import { emptyFold, foldFrame } from "../../src/domain/fold.ts";
import { compareFrames, type Frame } from "../../src/domain/frame.ts";
import { initialStages, openFacts, stepStages } from "../../src/domain/stages.ts";
import { utc } from "../../src/domain/time/time-zone.ts";
import { silentFrom } from "../../src/domain/trips/trips.ts";
import { arrivalOf } from "../../src/intake/arrival.ts";
import { forAll } from "../support/for-all.ts";
import { noReport, randomDrive } from "../support/random-drive.ts";
import { framesWithHabits } from "./support/odd-trackers.ts";
import { circleOf } from "./support/shapes.ts";
import { framesOf, randomMoments } from "./support/trips-random.ts";

const begin = Date.UTC(2026, 2, 2, 8);
const fenceId = "11111111-1111-4111-8111-111111111111";

function contextWith(latitude: number, longitude: number): DeviceContext {
  const shape = circleOf([longitude, latitude], 150);
  const fences = [{ fenceId, name: "", validFrom: 0, shape, devices: new Set([1]) }];
  return { fuelTankCapacityL: null, zone: utc, alertRules: [], fences: new AccountFences(fences).of(1) };
}

interface Known {
  readonly trips: readonly TripFact[];
  readonly stops: readonly StopFact[];
}

const ofKind = <Kind extends Fact["kind"]>(facts: readonly Fact[], kind: Kind) =>
  facts
    .filter((fact): fact is Extract<Fact, { kind: Kind }> => fact.kind === kind)
    .sort((one, other) => ("startedAt" in one && "startedAt" in other ? one.startedAt - other.startedAt : 0));

/** What is shown after each frame. */
function* shownAfterEach(
  frames: readonly Frame[],
  context: DeviceContext,
): Generator<Known & { silent: Known | null }> {
  const done: Fact[] = [];
  let fold = emptyFold;
  for (const frame of frames) {
    const next = foldFrame(fold, frame, context);
    done.push(...next.final.flatMap(({ facts }) => facts));
    fold = next.fold;
    const shown = (silentAt: number | null): Known => {
      const facts = [...done, ...fold.tail.flatMap(({ facts }) => facts), ...openFacts(fold.tip, context, silentAt)];
      return { trips: ofKind(facts, "trip"), stops: ofKind(facts, "stop") };
    };
    const silence = silentFrom(fold.tip.trips);
    yield { ...shown(null), silent: silence && shown(silence.silentAt) };
  }
}

/** Exactly one stop after each trip that is over, from its end to the start of the next one. */
function expectBetween({ trips, stops }: Known, newestAt: number): void {
  const over = trips.filter(({ endedAt }) => endedAt !== null);
  expect(stops.map(({ startedAt }) => startedAt)).toEqual(over.map(({ endedAt }) => endedAt ?? 0));
  for (const [index, stop] of stops.entries()) {
    const [before, after] = [trips[index], trips[index + 1]];
    expect(stop.tripBeforeFoundAt).toBe(before?.foundAt as number);
    expect(stop.tripAfterFoundAt).toBe(after?.foundAt ?? null);
    expect(stop.endedAt).toBe(after?.startedAt ?? null);
    expect({ latitude: stop.latitude, longitude: stop.longitude }).toEqual(before?.end as NonNullable<TripFact["end"]>);
    expect(stop.durationMs).toBeGreaterThanOrEqual(0);
    if (stop.endedAt === null) expect(stop.startedAt + stop.durationMs).toBeLessThanOrEqual(newestAt);
    else expect(stop.durationMs).toBe(stop.endedAt - stop.startedAt);
    expect(stop.ignitionOnMs ?? 0).toBeGreaterThanOrEqual(0);
    expect(stop.ignitionOnMs ?? 0).toBeLessThanOrEqual(stop.durationMs);
  }
}

const habits = fc.record({
  stepS: fc.constantFrom(1, 5, 10, 30, 60, 120, 600),
  speed: fc.constantFrom("sent", "none", "zero", "noisy" as const),
  ignition: fc.boolean(),
  errorM: fc.constantFrom(5, 25, 100),
  odometer: fc.constant("none" as const),
  sleepsS: fc.constantFrom(60, 300, 1800, 21_600),
  freezes: fc.boolean(),
  isShared: fc.boolean(),
  strays: fc.constantFrom(0, 300, 1000),
});

describe("whatever a vehicle does", () => {
  test("there is one stop after each trip, also as long as it is shown for the time being", () => {
    forAll(60, [fc.nat()], (seed) => {
      const frames = randomDrive({ imei: "356938035643809", seed, count: 400, beginAt: begin })
        .map((frame) => arrivalOf(frame))
        .filter(({ timeProblem }) => timeProblem === null)
        .map(({ frame }) => frame)
        .sort(compareFrames);
      let index = 0;
      for (const known of shownAfterEach(frames, contextWith(52.5, 13.4))) {
        const newestAt = (frames[index++] as Frame).recordedAt;
        expectBetween(known, newestAt);
        if (known.silent) expectBetween(known.silent, newestAt);
      }
    });
  });

  test("and so if it is towed, carried, loses its position or skips days", () => {
    forAll(200, [randomMoments], (moments) => {
      const context = contextWith(0, 10);
      const done: Fact[] = [];
      let state = initialStages;
      for (const judged of framesOf(moments)) {
        const step = stepStages(state, judged, context);
        state = step.state;
        done.push(...step.facts);
        const facts = [...done, ...openFacts(state, context, null)];
        expectBetween({ trips: ofKind(facts, "trip"), stops: ofKind(facts, "stop") }, judged.frame.recordedAt);
      }
    });
  });

  test("and so with every kind of tracker over two days", () => {
    forAll(12, [habits, fc.nat(10_000)], (how, seed) => {
      const frames = framesWithHabits({ ...how, speed: how.speed as "sent" }, seed).filter(
        (_, index) => how.stepS > 1 || index % 5 === 0,
      );
      let [last, count]: [Known | null, number] = [null, 0];
      for (const known of shownAfterEach(frames, contextWith(52.5, 13.4))) {
        if (++count % 50 === 0) expectBetween(known, (frames[count - 1] as Frame).recordedAt);
        last = known;
      }
      expectBetween(last as Known, (frames.at(-1) as Frame).recordedAt);
    });
  });
});

const metresPerDegree = 111_195;
const origin = { latitude: 52.5, longitude: 13.4 };

interface Moment {
  readonly second: number;
  readonly metres: number;
  readonly kmh?: number;
  readonly on?: boolean | null;
  readonly fix?: boolean;
}

const frameOf = ({ second, metres, kmh = 0, on = null, fix = true }: Moment, digest: number): Frame => ({
  ...noReport,
  recordedAt: begin + 1000 * second,
  receivedAt: begin + 1000 * second + 500,
  digest,
  latitude: fix ? origin.latitude + metres / metresPerDegree : null,
  longitude: fix ? origin.longitude : null,
  speed_kmh: fix ? kmh : null,
  fix,
  ignition: on,
  satellites: 9,
});

function stopsOf(moments: readonly Moment[], fenceAtMetres = 1e6): readonly StopFact[] {
  const context = contextWith(origin.latitude + fenceAtMetres / metresPerDegree, origin.longitude);
  let stops: readonly StopFact[] = [];
  for (const known of shownAfterEach(moments.map(frameOf), context)) stops = known.stops;
  return stops;
}

const every = (from: number, to: number, step: number, of: (second: number) => Omit<Moment, "second">): Moment[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => {
    const second = from + index * step;
    return { second, ...of(second) };
  });

/** From 0 to 3000 m in 300 s, then the ignition goes off. */
const arrival: Moment[] = [
  { second: -60, metres: 0, on: false },
  ...every(0, 300, 10, (second) => ({ metres: second * 10, kmh: 36, on: true })),
  { second: 310, metres: 3010, on: false },
];
/** From second 4000 on; the engine runs for 40 s before it. */
const departure: Moment[] = [
  ...every(3960, 4000, 10, () => ({ metres: 3010, on: true })),
  ...every(4010, 4200, 10, (second) => ({ metres: 3010 + (second - 4000) * 10, kmh: 36, on: true })),
];

describe("a stop", () => {
  test("begins when the ignition goes off, and lasts until the newest frame", () => {
    const [stop] = stopsOf([...arrival, { second: 1000, metres: 3012, on: false }]);
    expect(stop).toMatchObject({ startedAt: begin + 310_000, endedAt: null, durationMs: 690_000, ignitionOnMs: 0 });
    expect(stop?.updatedAt).toBe(begin + 1_000_500);
    expect(stopsOf(arrival)).toMatchObject([{ startedAt: begin + 310_000, durationMs: 0 }]);
  });

  test("lasts until the newest frame, even if that has no position", () => {
    expect(stopsOf([...arrival, { second: 1000, metres: 0, fix: false, on: false }])).toMatchObject([
      { endedAt: null, durationMs: 690_000 },
    ]);
  });

  test("ends where the next trip starts, and counts the ignition up to there", () => {
    const [stop, ...more] = stopsOf([
      ...arrival,
      ...every(400, 3900, 100, () => ({ metres: 3010, on: false })),
      ...departure,
    ]);
    expect(more).toEqual([]);
    expect(stop).toMatchObject({ endedAt: begin + 4_000_000, durationMs: 3_690_000, ignitionOnMs: 40_000 });
  });

  test("counts the ignition that ran while it was standing there at first", () => {
    const running = every(310, 1500, 10, () => ({ metres: 3010, on: true }));
    const [stop] = stopsOf([
      ...arrival.slice(0, -1),
      ...running,
      { second: 1510, metres: 3010, on: false },
      { second: 2000, metres: 3010, on: false },
    ]);
    expect(stop).toMatchObject({ startedAt: begin + 310_000, durationMs: 1_690_000, ignitionOnMs: 1_200_000 });
  });

  test("does not count the ignition over a silence", () => {
    const [stop] = stopsOf([
      ...arrival,
      { second: 600, metres: 3010, on: true },
      { second: 660, metres: 3010, on: true },
      { second: 9000, metres: 3010, on: false },
    ]);
    expect(stop?.ignitionOnMs).toBe(60_000);
  });

  test("says nothing of an ignition that is never reported", () => {
    const unknown = [...arrival, ...every(320, 900, 10, () => ({ metres: 3010 }))].map((moment) => ({
      ...moment,
      on: null,
    }));
    expect(stopsOf(unknown)).toMatchObject([{ ignitionOnMs: null }]);
  });

  test("goes back to a trip if the ignition only flickered", () => {
    const on = every(320, 400, 10, (second) => ({ metres: 3010 + (second - 310) * 5, kmh: 18, on: true }));
    expect(stopsOf([...arrival, ...on])).toEqual([]);
  });

  test("has the fences that the vehicle was in", () => {
    const standing = every(400, 900, 100, () => ({ metres: 3010, on: false }));
    expect(stopsOf([...arrival, ...standing], 3010)).toMatchObject([{ fenceIds: [fenceId] }]);
    expect(stopsOf([...arrival, ...standing, ...departure], 3010)).toMatchObject([{ fenceIds: [fenceId] }]);
    expect(stopsOf([...arrival, ...standing], 2000)).toMatchObject([{ fenceIds: [] }]);
  });

  test("has the fence in which it was seen once, though the frame that confirms it is from elsewhere", () => {
    const away = every(4010, 4200, 10, (second) => ({ metres: 3010 + (second - 3900) * 10, kmh: 36, on: true }));
    expect(stopsOf([...arrival, ...away], 3155)).toMatchObject([{ fenceIds: [fenceId] }]);
  });
});

import { expect, test } from "bun:test";
import type { DeviceContext } from "../../src/domain/device-context.ts";
import { type AlertFact, type CrossingFact, type Fact, factKey, type TripFact } from "../../src/domain/facts.ts";
import type { AlertRule } from "../../src/domain/fleet.ts";
import { emptyFold, foldFrame } from "../../src/domain/fold.ts";
import { compareFrames, type Frame } from "../../src/domain/frame.ts";
import { initialStages, openFacts, type StagesState, stepStages } from "../../src/domain/stages.ts";
import { utc } from "../../src/domain/time/time-zone.ts";
import type { JudgedFrame } from "../../src/domain/verdict.ts";
import { arrivalOf } from "../../src/intake/arrival.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomDrive, randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { circle, home, placeAt, plainFences } from "./crossings-drive.test.ts";

const seed = announcedSeed("times of receipt");
const roundCount = rounds(40, 200);

const rule = (alertType: AlertRule["alertType"], parameters: AlertRule["parameters"], geofenceIds: string[] = []) =>
  ({ alertType, enabled: true, severity: null, parameters, geofenceIds }) satisfies AlertRule;

const context: DeviceContext = {
  fuelTankCapacityL: 80,
  zone: utc,
  alertRules: [
    {
      validFrom: 0,
      content: [
        rule("geofence_enter", {}, ["town", "yard"]),
        rule("geofence_exit", {}, ["town"]),
        rule("speeding", { limit_kmh: 60 }),
        rule("temperature_high", { above_c: 8 }),
        rule("idling", { after_s: 60 }),
      ],
    },
  ],
  fences: plainFences({ town: [[0, circle(2000)]], yard: [[0, circle(150, placeAt(400, 200))]] }),
};

/** The frames of a drive in their order. Some were received hours after those that follow them. */
function framesOf(round: number): Frame[] {
  const random = randomNumbers(seed + 1000 + round);
  const beginAt = Date.UTC(2026, 0, 1, 9);
  const drive = randomDrive({
    imei: "356938035643809",
    seed: seed + round,
    count: 300,
    beginAt,
    leaps: false,
    ...home,
  });
  return drive
    .map((frame) => ({ ...frame, receivedAt: frame.receivedAt + (random() < 0.15 ? Math.floor(random() * 1e8) : 0) }))
    .map((frame) => arrivalOf(frame))
    .filter(({ timeProblem }) => timeProblem === null)
    .map(({ frame }) => frame)
    .sort(compareFrames);
}

/** With the verdicts that they end up with. */
function judged(frames: readonly Frame[]): JudgedFrame[] {
  let fold = emptyFold;
  const all: JudgedFrame[] = [];
  for (const frame of frames) {
    const after = foldFrame(fold, frame, context);
    fold = after.fold;
    all.push(...after.final.map((final) => final.judged));
  }
  return [...all, ...fold.tail.map((open) => open.judged)];
}

type TimedFact = TripFact | CrossingFact | AlertFact;

interface Listing {
  readonly frame: Frame;
  readonly facts: ReadonlyMap<string, TimedFact>;
  readonly state: StagesState;
}

/** What is listed after each frame. */
function listings(frames: readonly JudgedFrame[]): Listing[] {
  const completed = new Map<string, TimedFact>();
  let state = initialStages;
  return frames.map((one) => {
    const step = stepStages(state, one, context);
    state = step.state;
    for (const fact of step.facts.filter(isTimedFact)) completed.set(factKey(fact), fact);
    const open = openFacts(state, context, null).filter(isTimedFact);
    return {
      frame: one.frame,
      facts: new Map([...completed, ...open.map((fact) => [factKey(fact), fact] as const)]),
      state,
    };
  });
}

/** A stop has no time of its own at which it was known: a trip is its beginning, another its end. */
function isTimedFact(fact: Fact): fact is TimedFact {
  return fact.kind !== "day" && fact.kind !== "stop";
}

/** What a list shows of it besides the two times. */
function content({ receivedAt: _, updatedAt: __, ...shown }: TimedFact): string {
  return JSON.stringify(shown);
}

test("a fact was known when the frame was received with which it is first listed", () => {
  const seen = { trip: 0, crossing: 0, alert: 0 };
  for (let round = 0; round < roundCount; round++) {
    const known = new Map<string, number>();
    for (const { frame, facts } of listings(judged(framesOf(round)))) {
      for (const [key, fact] of facts) {
        if (!known.has(key)) {
          known.set(key, frame.receivedAt);
          seen[fact.kind]++;
        }
        expect(fact.receivedAt, `${key} in round ${round}`).toBe(known.get(key) as number);
      }
    }
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});

test("it changed last when the last of the frames that changed it was received", () => {
  let changes = 0;
  for (let round = 0; round < roundCount; round++) {
    let before: Listing["facts"] = new Map();
    const receipts = new Set<number>();
    for (const { frame, facts } of listings(judged(framesOf(round)))) {
      receipts.add(frame.receivedAt);
      for (const [key, fact] of facts) {
        const old = before.get(key);
        const place = `${key} in round ${round}`;
        expect(fact.updatedAt, place).toBeGreaterThanOrEqual(fact.receivedAt);
        if (old === undefined) continue;
        if (content(old) !== content(fact)) {
          changes++;
          expect(fact.updatedAt, place).toBeGreaterThanOrEqual(frame.receivedAt);
        } else if (fact.kind !== "trip") expect(fact.updatedAt, place).toBe(old.updatedAt);
        // An open trip may lose the frame that changed it last, when it turns out to end before: then the others count.
        if (fact.kind !== "trip") expect(fact.updatedAt, place).toBeGreaterThanOrEqual(old.updatedAt);
        expect(receipts.has(fact.updatedAt), place).toBe(true);
      }
      before = facts;
    }
  }
  expect(changes).toBeGreaterThan(1000);
});

test("a crossing changed last with the later of the frames on both sides of the edge, if they came after the others", () => {
  let late = 0;
  for (let round = 0; round < roundCount; round++) {
    const frames = judged(framesOf(round));
    const fixes = frames.filter(({ verdict }) => verdict.valid).map(({ frame }) => frame);
    for (const fact of listings(frames).at(-1)?.facts.values() ?? []) {
      if (fact.kind !== "crossing" || fact.timeUncertaintyMs > 0) continue;
      const after = fixes.findIndex(({ recordedAt }) => recordedAt >= fact.occurredAt);
      const sides = [fixes[after - 1], fixes[after]].map((frame) => frame?.receivedAt ?? 0);
      expect(fact.updatedAt).toBeGreaterThanOrEqual(Math.max(...sides));
      if (fact.updatedAt > fact.receivedAt) late++;
    }
  }
  expect(late).toBeGreaterThan(0);
});

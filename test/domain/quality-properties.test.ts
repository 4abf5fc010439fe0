import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Frame } from "../../src/domain/frame.ts";
import { initialJudge, type JudgeState, judge, pendingFrames } from "../../src/domain/quality/judge.ts";
import { maxPending } from "../../src/domain/quality/judge-state.ts";
import type { JudgedFrame } from "../../src/domain/verdict.ts";
import { forAll } from "../support/for-all.ts";
import { frameWith, noon, run } from "./support/quality-frames.ts";
import { referenceWords } from "./support/quality-reference.ts";

/** Metres from a place: near, in reach at some speeds, out of reach at most, and on the other side of the world. */
const hubs = [0, 0, 150, 450, 3000, 9000, 50_000, 51_000, 1_500_000, 9_000_000];
const pausesMs = [0, 1, 1000, 5000, 10_000, 30_000, 60_000, 61_000, 300_000, 600_000, 601_000, 3_600_000];

/** Not in whole metres, so that rounding on the other side of the globe decides nothing. */
const strays = fc.oneof(
  fc.constant(0),
  fc.noBias(fc.nat(120_000)).map((mm) => mm / 1000),
);

const someFrame = fc.record({
  pauseMs: fc.constantFrom(...pausesMs),
  metres: fc.tuple(fc.constantFrom(...hubs), strays).map(([hub, stray]) => hub + stray),
  speed_kmh: fc.constantFrom(null, null, 0, 20, 50, 90, 140, 251, -1),
  accuracy_m: fc.constantFrom(null, null, null, 5, 150, 201),
  fix: fc.constantFrom(null, true, true, true, true, true, true, false),
});

/** Shuttles between few places, so that chains, spikes and lone anchors come about. */
const someDevice = (maxLength: number) =>
  fc.array(someFrame, { maxLength, size: "max" }).map((steps): Frame[] => {
    let recordedAt = noon;
    return steps.map(({ pauseMs, metres, ...fields }, digest) => {
      recordedAt += pauseMs;
      return frameWith({ ...fields, recordedAt, digest, longitude: metres / 71_500 });
    });
  });

/** Drives on or stands, in steady steps, and now and then some frames are off to one side, perhaps for long. */
const someDrive = fc
  .record({
    stepMs: fc.constantFrom(100, 1000, 1000, 5000, 10_000, 30_000),
    isSpeedReported: fc.boolean(),
    parts: fc.array(
      fc.record({
        frames: fc.integer({ min: 1, max: 12 }),
        kmh: fc.constantFrom(0, 0, 15, 50, 110),
        offMetres: fc.constantFrom(0, 0, 0, 95, 150, 300, 1000, 3000),
        side: fc.constantFrom(0, 1.1, 2.9, 4.2),
        pauseMs: fc.constantFrom(0, 0, 0, 0, 30_000, 601_000),
      }),
      { maxLength: 25, size: "max" },
    ),
  })
  .map(({ stepMs, isSpeedReported, parts }): Frame[] => {
    let recordedAt = noon;
    let metres = 0;
    return parts
      .flatMap(({ frames, pauseMs, ...part }) =>
        Array.from({ length: frames }, (_, index) => ({ ...part, pauseMs: index === 0 ? pauseMs : 0 })),
      )
      .map(({ kmh, offMetres, side, pauseMs }, digest) => {
        recordedAt += stepMs + pauseMs;
        metres += (kmh * stepMs) / 3600;
        const longitude = (metres + offMetres * Math.cos(side)) / 71_500;
        const latitude = 50 + (offMetres * Math.sin(side)) / 111_195;
        return frameWith({ recordedAt, digest, latitude, longitude, speed_kmh: isSpeedReported ? kmh : null });
      });
  });

/** A cached place, mostly in turn with one that moves. */
const takingTurns = fc
  .array(
    fc.record({
      pauseMs: fc.constantFrom(0, 1000, 10_000, 10_000, 20_000, 601_000),
      isCached: fc.constantFrom(null, null, null, null, true, false),
      isCacheStirred: fc.constantFrom(false, false, false, false, false, true),
      drivenMetres: fc.constantFrom(0, 0, 20, 60.5, 99.5, 300),
    }),
    { maxLength: 40, size: "max" },
  )
  .map((steps): Frame[] => {
    let recordedAt = noon;
    let metres = 0;
    return steps.map(({ pauseMs, isCached, isCacheStirred, drivenMetres }, digest) => {
      recordedAt += pauseMs;
      metres += drivenMetres;
      const cachedMetres = 1_500_000 + (isCacheStirred ? 1 : 0);
      const longitude = ((isCached ?? digest % 2 === 0) ? cachedMetres : metres) / 71_500;
      return frameWith({ recordedAt, digest, longitude });
    });
  });

const extremes = [null, 0, -0, 1, -1, 90, 180, -180, 200, 1e-300, 1e300, -1e300, Number.MAX_VALUE, -Number.MAX_VALUE];
const anyNumber = fc.oneof(fc.constantFrom(...extremes), fc.double({ noNaN: true, noDefaultInfinity: true }));
const garbage = fc
  .array(
    fc.record({
      latitude: fc.oneof(fc.constantFrom(null, 0, 50, 90, -90), anyNumber),
      longitude: fc.oneof(fc.constantFrom(null, 0, 50, 180, -180), anyNumber),
      speed_kmh: anyNumber,
      accuracy_m: anyNumber,
      satellites: fc.oneof(fc.constant(null), anyNumber),
      hdop: fc.oneof(fc.constant(null), anyNumber),
      recordedAt: fc.oneof(fc.integer({ min: noon, max: noon + 100_000 }), fc.constantFrom(-1e300, 0, 1e300)),
      fix: fc.constantFrom(null, true, false),
      source: fc.constantFrom(null, null, "gps" as const, "cell" as const),
    }),
    { maxLength: 150, size: "max" },
  )
  .map((all) =>
    all
      .toSorted((one, other) => one.recordedAt - other.recordedAt)
      .map((fields, digest) => frameWith({ ...fields, digest })),
  );

const anyFrames = fc.oneof(someDevice(150), someDrive, takingTurns, garbage);
const text = (judged: readonly JudgedFrame[] | JudgeState) => JSON.stringify(judged);

describe("the judge", () => {
  const jumps = ["elsewhere", "implausible_jump", "spike", "valid"];
  test.each([
    [
      "what the rules say, as written down a second time",
      1500,
      someDevice(maxPending - 1),
      ["low_precision", "no_fix"],
    ],
    ["so for drives with excursions", 1000, someDrive, []],
  ])("does %s", (_, runs, some, others) => {
    const reached = new Set<string>();
    forAll(runs, [some], (frames) => {
      const { words } = run(frames);
      for (const word of words) reached.add(word);
      if (frames.length <= maxPending) expect(words).toEqual(referenceWords(frames));
    });
    expect([...reached].sort()).toEqual([...jumps, ...others].sort());
  });

  test("does so for places that take turns with one that never stirs", () => {
    let changes = 0;
    forAll(500, [takingTurns], (frames) => {
      const { words } = run(frames);
      if (words.includes("elsewhere")) changes++;
      expect(words).toEqual(referenceWords(frames));
    });
    expect(changes).toBeGreaterThan(20);
  });

  test("keeps all frames in their order, never takes back a settled verdict, and gives verdicts that make sense", () => {
    forAll(200, [anyFrames], (frames) => {
      const settled: JudgedFrame[] = [];
      let state = initialJudge;
      for (const [index, frame] of frames.entries()) {
        const judgement = judge(state, frame);
        state = judgement.state;
        settled.push(...judgement.final);
        const all = [...settled, ...pendingFrames(state)];
        expect(all.length).toBe(index + 1);
        expect(all.every((judged, position) => judged.frame === frames[position])).toBe(true);
        expect(state.pending.length).toBeLessThanOrEqual(maxPending);
        expect(state.chains.length).toBeLessThanOrEqual(3);
      }
      let isFirst = true;
      for (const { frame, verdict, speedKmh } of [...settled, ...pendingFrames(state)]) {
        expect(verdict.valid).toBe(verdict.rejectReason === null);
        if (!verdict.valid || isFirst) expect(verdict.discontinuity).toBe(false);
        if (verdict.valid) isFirst = false;
        expect(speedKmh === null || (verdict.valid && speedKmh === frame.speed_kmh)).toBe(true);
      }
    });
  });

  test("holds all it knows in a state that can be written as JSON at any time", () => {
    forAll(60, [anyFrames], (frames) => {
      const throughText = (state: JudgeState): JudgeState => {
        const read = JSON.parse(text(state));
        expect(text(read)).toBe(text(state));
        return read;
      };
      const one = run(frames);
      const other = run(frames, throughText);
      expect(text(other.all)).toBe(text(one.all));
      expect(text(other.state)).toBe(text(one.state));
      expect(JSON.stringify(numbersOf(one.state)).includes("null")).toBe(false);
    });
  });

  test("never changes a state it was given", () => {
    forAll(100, [someDevice(100)], (frames) => {
      const frozen = run(frames, deepFreeze, deepFreeze(initialJudge));
      expect(text(frozen.all)).toBe(text(run(frames).all));
    });
  });

  test("soon forgets: what a device did before a few frames that follow each other does not matter after them", () => {
    const last = [0, 10, 20, 30, 40, 50].map((second) =>
      frameWith({ recordedAt: noon + 1e9 + second * 1000, speed_kmh: 5 }),
    );
    forAll(200, [someDevice(80)], (frames) => {
      const { state } = run([...frames, ...last]);
      expect(text(state)).toBe(text(run(last).state));
    });
  });

  test("gives the same verdicts on both sides of the antimeridian", () => {
    const shifted = (frame: Frame, degrees: number): Frame => {
      if (frame.longitude === null) return frame;
      const east = frame.longitude + degrees;
      return { ...frame, longitude: east > 180 ? east - 360 : east };
    };
    forAll(200, [someDevice(100), fc.constantFrom(179.9, 179.999, 180, 120, 100)], (frames, degrees) => {
      const there = run(frames.map((frame) => shifted(frame, degrees)));
      expect(there.words).toEqual(run(frames).words);
    });
  });
});

/** The numbers of a state that are not a frame's; one that is not finite becomes null in JSON. */
function numbersOf({ anchor, prev, chains }: JudgeState): number[] {
  return [anchor, prev, ...chains, ...chains.map(({ last }) => last)].flatMap((part) =>
    Object.values(part ?? {}).filter((value) => typeof value === "number"),
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

import { describe, expect, test } from "bun:test";
import type { Frame } from "../../src/domain/frame.ts";
import type { JudgedFrame } from "../../src/domain/verdict.ts";
import { run, word } from "./support/quality-frames.ts";
import { readBuses, readDrives } from "./support/quality-traces.ts";

function tally(judged: readonly JudgedFrame[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const frame of judged) counts[word(frame)] = (counts[word(frame)] ?? 0) + 1;
  return counts;
}

const unbelievedSpeeds = (judged: readonly JudgedFrame[]) =>
  judged.filter(({ frame, verdict, speedKmh }) => verdict.valid && frame.speed_kmh !== null && speedKmh === null);

/** Puts some frames in every 60 off, each time to another side, and tells the verdicts of the bad and of the good. */
function withExcursions(frames: readonly Frame[], count: number, metres: number) {
  const isBad = (index: number) => index % 60 >= 30 && index % 60 < 30 + count;
  const spoiled = frames.map((frame, index) => {
    if (!isBad(index) || frame.latitude === null || frame.longitude === null) return frame;
    const angle = 2.4 * Math.floor(index / 60);
    const latitude = frame.latitude + (metres * Math.sin(angle)) / 111_195;
    const longitude = frame.longitude + (metres * Math.cos(angle)) / (111_195 * Math.cos(frame.latitude / 57.3));
    return { ...frame, latitude, longitude };
  });
  const { words } = run(spoiled);
  return { bad: words.filter((_, index) => isBad(index)), good: words.filter((_, index) => !isBad(index)) };
}

const share = (words: readonly string[], isCounted: (word: string) => boolean) =>
  words.filter(isCounted).length / words.length;

describe("excursions in a real trace, a frame a second", () => {
  const rows = [true, false].flatMap((hasSpeed) =>
    [150, 200, 300].flatMap((metres) => [1, 2, 3].map((count) => ({ hasSpeed, metres, count }))),
  );
  test.each(rows)("of $metres m for $count s are rejected, and hardly a good frame (speeds: $hasSpeed)", (row) => {
    const frames = readDrives()?.map((frame) => (row.hasSpeed ? frame : { ...frame, speed_kmh: null }));
    if (frames === undefined) return;
    const { bad, good } = withExcursions(frames, row.count, row.metres);
    expect([...bad, ...good]).not.toContain("elsewhere");
    expect(share(bad, (word) => word !== "valid")).toBeGreaterThanOrEqual(0.9);
    expect(share(good, (word) => word === "implausible_jump" || word === "spike")).toBeLessThanOrEqual(0.001);
  });
});

describe("a real trace", () => {
  test("of a car, a frame a second, is valid but for its one frame without a full fix", () => {
    const frames = readDrives();
    if (frames === null) return;
    const { all } = run(frames);
    expect(tally(all)).toEqual({ valid: 9172, no_fix: 1 });
    expect(unbelievedSpeeds(all).length).toBeLessThanOrEqual(1);
  });

  test("of a city's buses is valid but for one frame, 944 m from the one before after 21 s", () => {
    const buses = readBuses();
    if (buses === null) return;
    const all = [...buses.values()].flatMap((frames) => run(frames).all);
    expect(tally(all)).toEqual({ valid: 7313, implausible_jump: 1 });
    expect(unbelievedSpeeds(all).length).toBeLessThan(0.02 * all.length);
  });
});

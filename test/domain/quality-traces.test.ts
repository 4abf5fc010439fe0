import { describe, expect, test } from "bun:test";
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

describe("a real trace", () => {
  test("of a car, a frame a second, is valid but for its one frame without a full fix", () => {
    const frames = readDrives();
    if (frames === null) return;
    const { all } = run(frames);
    expect(tally(all)).toEqual({ valid: 9172, no_fix: 1 });
    expect(unbelievedSpeeds(all).length).toBeLessThanOrEqual(1);
  });

  test("of a city's buses is valid", () => {
    const buses = readBuses();
    if (buses === null) return;
    const all = [...buses.values()].flatMap((frames) => run(frames).all);
    expect(tally(all)).toEqual({ valid: 7314 });
    expect(unbelievedSpeeds(all).length).toBeLessThan(0.02 * all.length);
  });
});

import type { Frame } from "../../../src/domain/frame.ts";
import { earthRadiusMetres } from "../../../src/domain/geometry/bounding-box.ts";
import { initialJudge, type JudgeState, judge, pendingFrames } from "../../../src/domain/quality/judge.ts";
import type { JudgedFrame } from "../../../src/domain/verdict.ts";
import { noReport } from "../../support/random-drive.ts";

export const noon = Date.UTC(2026, 5, 1, 12);

const home = { latitude: 50, longitude: 10 };
const metresPerDegree = (earthRadiusMetres * Math.PI) / 180;

/** A good frame at home, at noon, that says nothing but where it is, unless the fields say otherwise. */
export function frameWith(fields: Partial<Frame> = {}): Frame {
  const recordedAt = fields.recordedAt ?? noon;
  return { ...noReport, ...home, fix: true, recordedAt, receivedAt: recordedAt, digest: 0, ...fields };
}

/** A frame some seconds after noon, some metres south of home; up to 15,000 km that is on the same meridian. */
export function seen(second: number, metres: number, fields: Partial<Frame> = {}): Frame {
  const latitude = home.latitude - metres / metresPerDegree;
  return frameWith({ recordedAt: noon + second * 1000, latitude, ...fields });
}

/** A frame of that second without a position. */
export function lost(second: number): Frame {
  return frameWith({ recordedAt: noon + second * 1000, latitude: null, longitude: null, fix: false });
}

/** The verdict in a word. */
export function word({ verdict }: JudgedFrame): string {
  if (!verdict.valid) return verdict.rejectReason ?? "no reason";
  return verdict.discontinuity ? "elsewhere" : "valid";
}

export interface Run {
  readonly state: JudgeState;
  readonly settled: readonly JudgedFrame[];
  /** Settled, then pending. */
  readonly all: readonly JudgedFrame[];
  /** Of all. */
  readonly words: readonly string[];
}

/** Judges frames one after the other; `between` may replace the state after each. */
export function run(frames: readonly Frame[], between = (state: JudgeState) => state, start = initialJudge): Run {
  const settled: JudgedFrame[] = [];
  let state = start;
  for (const frame of frames) {
    const judgement = judge(state, frame);
    settled.push(...judgement.final);
    state = between(judgement.state);
  }
  const all = [...settled, ...pendingFrames(state)];
  return { state, settled, all, words: all.map(word) };
}

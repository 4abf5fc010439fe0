import { describe, expect, test } from "bun:test";
import { type EarlierJudgeState, judgeFromEarlierRules } from "../../src/domain/earlier/rules-1.ts";
import { initialJudge, type JudgeState } from "../../src/domain/quality/judge.ts";
import { acceptedFrame, rejectedFrame } from "../../src/domain/quality/judge-state.ts";
import { noon, run, seen } from "./support/quality-frames.ts";

const [home, away] = [seen(0, 0, { satellites: 7 }), seen(10, 50_000)];
const place = { at: noon, latitude: 50, longitude: 10, speedKmh: 30, accuracyM: 5 };

/** As version 1.0.0 stored it, with a jump pending. */
const stored: EarlierJudgeState = {
  anchor: { ...place, isAlone: false, isElsewhere: false },
  prev: { ...place, at: noon - 10_000, isAlone: true, isElsewhere: true },
  chains: [{ id: 0, firstAt: away.recordedAt, frames: 1, last: { ...place, at: away.recordedAt, latitude: 49.55 } }],
  pending: [acceptedFrame(home, 30, false), rejectedFrame(away, "implausible_jump", 0)],
};

/** The names of all parts, so that two forms can be compared. */
const formOf = (value: unknown): unknown =>
  value !== null && typeof value === "object"
    ? Object.entries(value).map(([name, part]) => [name, formOf(part)])
    : typeof value;

describe("a state of the first rules", () => {
  test("keeps what it knows, and knows nothing else", () => {
    const { anchor, prev, base, ...rest } = judgeFromEarlierRules(stored);
    expect(anchor).toEqual({ ...place, paceKmh: null, support: 5, isDiscontinuity: false });
    expect(prev).toEqual({ ...place, at: noon - 10_000, paceKmh: null, support: 1, isDiscontinuity: true });
    expect(base).toBeNull();
    expect(rest.pending).toEqual(stored.pending);
    expect(rest.chains.map(({ frames, last }) => [frames, last.paceKmh])).toEqual([[1, null]]);
    expect([rest.rival, rest.zeroRun, rest.countsSatellites]).toEqual([null, null, true]);
  });

  test("has the same form as a present one, down to the order of names", () => {
    const present = run([...[-40, -30, -20, -10, 0].map((second) => seen(second, 0, { speed_kmh: 0 })), away]).state;
    const form = (state: JudgeState) => formOf({ ...withNumbers(state), rival: null, pending: [] });
    expect(form(judgeFromEarlierRules(stored))).toEqual(form(present));
  });

  test("that is empty becomes one that is", () => {
    const empty = { anchor: null, prev: null, chains: [], pending: [] };
    expect(JSON.stringify(judgeFromEarlierRules(empty))).toBe(JSON.stringify(initialJudge));
  });

  test("goes on: what was pending is rejected when the vehicle returns, and confirmed when it stays", () => {
    const back = run([seen(20, 0)], undefined, judgeFromEarlierRules(stored));
    expect(back.words).toEqual(["valid", "implausible_jump", "valid"]);
    const stays = [20, 30, 40, 80].map((second) => seen(second, 50_000));
    const { words } = run(stays, undefined, judgeFromEarlierRules(stored));
    expect(words).toEqual(["valid", "elsewhere", "valid", "valid", "valid", "valid"]);
  });

  test("with an anchor that nothing supports can be outvoted", () => {
    const anchor = { ...place, isAlone: true, isElsewhere: false };
    const lone = { ...stored, anchor, prev: null, chains: [], pending: stored.pending.slice(0, 1) };
    const others = [10, 20, 30, 40].map((second) => seen(second, 700_000));
    const { words } = run(others, undefined, judgeFromEarlierRules(lone));
    expect(words).toEqual(["implausible_jump", "valid", "valid", "valid", "valid"]);
  });
});

/** With a number wherever a number may be, since an unknown one has no form. */
function withNumbers(state: JudgeState): JudgeState {
  const known = <Part extends object>(part: Part): Part => ({ ...part, speedKmh: 0, paceKmh: 0 });
  const { anchor, prev, chains } = state;
  return {
    ...state,
    anchor: anchor && known(anchor),
    prev: prev && known(prev),
    chains: chains.map((chain) => ({ ...chain, last: known(chain.last) })),
  };
}

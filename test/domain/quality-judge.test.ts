import { describe, expect, test } from "bun:test";
import type { Frame } from "../../src/domain/frame.ts";
import { initialJudge, type JudgeState } from "../../src/domain/quality/judge.ts";
import { maxPending } from "../../src/domain/quality/judge-state.ts";
import { lost, run, seen, word } from "./support/quality-frames.ts";

const km = 1000;
const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));
const repeated = <T>(count: number, what: T): T[] => times(count, () => what);

/** Frames at home every 10 s, so many that the last, at 0 s, is firm. */
const homeFrames = 5;
const atHome = (count = homeFrames): Frame[] => times(count, (index) => seen((index - count + 1) * 10, 0));

const speeds = (frames: readonly Frame[]) => run(frames).all.map(({ speedKmh }) => speedKmh);

describe("accepting", () => {
  test("the first frame is valid, and waits for the next one", () => {
    const { settled, words, state } = run([seen(0, 0)]);
    expect(settled).toEqual([]);
    expect(words).toEqual(["valid"]);
    expect(state.anchor?.support).toBe(1);
  });

  test("frames that are rejected by themselves wait behind the anchor, and before one they do not wait", () => {
    const before = run([lost(0), seen(1, 0, { satellites: 3 })]);
    expect(before.settled.map(word)).toEqual(["no_fix", "low_satellites"]);
    const waiting = run([...atHome(), lost(1), seen(2, 0, { source: "cell" })]);
    expect(waiting.settled).toHaveLength(homeFrames - 1);
    expect(waiting.words.slice(-3)).toEqual(["valid", "no_fix", "approximate"]);
    const { settled } = run([...atHome(), lost(1), seen(2, 0)]);
    expect(settled.map(word).slice(-2)).toEqual(["valid", "no_fix"]);
  });

  test("an anchor has no support after a leg of more than 600 s", () => {
    expect(run([...atHome(), seen(600, 0)]).state.anchor?.support).toBe(5);
    expect(run([...atHome(), seen(600.001, 0)]).state.anchor?.support).toBe(1);
  });

  test("frames wait until five of them support each other", () => {
    expect(run(atHome(4)).settled).toEqual([]);
    expect(run(atHome(5)).settled).toHaveLength(4);
    const after = [601, 602, 603, 604].map((second) => seen(second, 0));
    expect(run([...atHome(), ...after]).settled).toHaveLength(homeFrames);
    expect(run([...atHome(), ...after, seen(605, 0)]).settled).toHaveLength(homeFrames + 4);
  });

  test("a speed that is not believed is null, and the next is compared with none", () => {
    const drive = [0, 50, 300, 50].map((speed_kmh, second) => seen(second * 10, second * 130, { speed_kmh }));
    expect(speeds(drive)).toEqual([0, 50, null, 50]);
    const hasty = [50, 100, 100].map((speed_kmh, second) => seen(second, second * 14, { speed_kmh }));
    expect(speeds(hasty)).toEqual([50, null, 100]);
  });

  test("two places of one moment are both valid if they are close, else the second is a jump", () => {
    // 60 m, and what a vehicle may drive in the second that its time was cut off to.
    const close = run([...atHome(), seen(0, 64.9), seen(0, 0)]);
    expect(close.words).toEqual(repeated(homeFrames + 2, "valid"));
    const apart = run([...atHome(), seen(0, 65.1), seen(10, 0)]);
    expect(apart.words.slice(homeFrames)).toEqual(["implausible_jump", "valid"]);
  });
});

describe("a jump", () => {
  test.each([50, 1500, 9000])("of %d km is believed after a minute, as a discontinuity", (distanceKm) => {
    const away = times(7, (index) => seen(10 + index * 10, distanceKm * km));
    const { words } = run([...atHome(), ...away.slice(0, 6)]);
    expect(words).toEqual([...repeated(homeFrames, "valid"), ...repeated(6, "implausible_jump")]);
    const { words: believed, state } = run([...atHome(), ...away]);
    expect(believed).toEqual([...repeated(homeFrames, "valid"), "elsewhere", ...repeated(6, "valid")]);
    expect(state.chains).toEqual([]);
    expect(state.pending).toHaveLength(1);
  });

  test("is believed with 5 frames over 60 s, neither with 4 nor over less", () => {
    const after = (...seconds: number[]) =>
      run([...atHome(), ...seconds.map((second) => seen(second, 1500 * km))]).words.slice(homeFrames);
    expect(after(10, 20, 30, 40, 70)).toEqual(["elsewhere", ...repeated(4, "valid")]);
    expect(after(10, 20, 30, 40, 69.999)).toEqual(repeated(5, "implausible_jump"));
    expect(after(10, 100, 200, 500)).toEqual(repeated(4, "implausible_jump"));
  });

  test("of a tracker that sends each second loses no frame", () => {
    const away = times(61, (index) => seen(1 + index, 50 * km + index * 20, { speed_kmh: 72 }));
    const { words } = run([...atHome(), ...away.slice(0, 9), lost(9.1), lost(9.2), lost(9.3), ...away.slice(9)]);
    const expected = ["elsewhere", ...repeated(8, "valid"), ...repeated(3, "no_fix"), ...repeated(52, "valid")];
    expect(words).toEqual([...repeated(homeFrames, "valid"), ...expected]);
  });

  test("has the speed that it reports, which no leg speaks against", () => {
    const away = times(5, (index) => seen(1 + index * 30, 50 * km + index * 700, { speed_kmh: 84 }));
    expect(speeds([...atHome(), ...away.slice(0, 4)])).toEqual(repeated(homeFrames + 4, null));
    expect(speeds([...atHome(), ...away])).toEqual([...repeated(homeFrames, null), ...repeated(5, 84)]);
  });

  test("of a tracker that sends ten times a second is believed as soon, with the frames that are still pending", () => {
    const away = times(601, (index) => seen(1 + index / 10, 50 * km));
    const { words } = run([...atHome(), ...away]);
    const given = away.length - maxPending - 1;
    const expected = [...repeated(given, "implausible_jump"), "elsewhere", ...repeated(maxPending, "valid")];
    expect(words).toEqual([...repeated(homeFrames, "valid"), ...expected]);
  });

  test("that ends is settled as one when the vehicle is seen where it was", () => {
    const { settled, words } = run([...atHome(), seen(10, 50 * km), lost(15), seen(20, 50 * km), seen(30, 0)]);
    expect(words.slice(homeFrames)).toEqual(["implausible_jump", "no_fix", "implausible_jump", "valid"]);
    expect(settled).toHaveLength(homeFrames + 3);
  });

  test("that the anchor comes to reach is no discontinuity, once 5 frames over 5 s fit it better", () => {
    // A receiver that held its place for 10 s at 72 km/h, and catches up.
    const away = times(6, (index) => seen(1 + index, 200 + index * 20, { speed_kmh: 72 }));
    const drive = times(homeFrames, (index) => seen(index - homeFrames + 1, 0, { speed_kmh: 72 }));
    expect(run([...drive, ...away.slice(0, 5)]).words.slice(homeFrames)).toEqual(repeated(5, "implausible_jump"));
    expect(run([...drive, ...away]).words.slice(homeFrames)).toEqual(repeated(6, "valid"));
  });

  test("of a vehicle that stands as before is a discontinuity though the anchor reaches it, unless it is near", () => {
    const after = (metres: number) =>
      run([...atHome(), ...times(6, (index) => seen(10 + index * 10, metres))]).words.slice(homeFrames);
    expect(after(1500)).toEqual(["elsewhere", ...repeated(5, "valid")]);
    const near = times(12, (index) => seen(1 + index, 450));
    expect(run([...atHome(), ...near]).words.slice(homeFrames)).toEqual(repeated(12, "valid"));
  });
});

describe("a tracker that alternates with a cached place", () => {
  const cachedKm = [5, 50, 1500, 9000];
  test.each(cachedKm)("%d km away is not believed there", (distanceKm) => {
    const frames = times(200, (index) => seen(index * 30, index % 2 === 0 ? 0 : distanceKm * km));
    const { words } = run(frames);
    expect(words).toEqual(times(200, (index) => (index % 2 === 0 ? "valid" : "implausible_jump")));
  });

  test.each(cachedKm)("%d km away is not believed there while it drives", (distanceKm) => {
    const frames = times(200, (index) => seen(index * 10, index % 2 === 0 ? -index * 200 : distanceKm * km));
    expect(run(frames).words).toEqual(times(200, (index) => (index % 2 === 0 ? "valid" : "implausible_jump")));
  });

  test("that it could reach leaves spikes, until it is known for what it is", () => {
    const { words } = run(times(20, (index) => seen(index * 900, index % 2 === 0 ? 0 : 50 * km)));
    const expected = times(19, (index) => (index % 2 === 0 ? "valid" : index < 6 ? "spike" : "implausible_jump"));
    expect(words.slice(0, 19)).toEqual(expected);
  });
});

describe("a few frames that support each other", () => {
  test("are outvoted by four others, which are no discontinuity if they are the first", () => {
    const others = [seen(10, 0), lost(15), seen(20, 100), seen(30, 200), seen(40, 300)];
    const three = run([seen(0, 700 * km), ...others.slice(0, -1)]);
    expect(three.words).toEqual(["valid", "implausible_jump", "no_fix", "implausible_jump", "implausible_jump"]);
    const { words } = run([seen(0, 700 * km), ...others]);
    expect(words).toEqual(["implausible_jump", "valid", "no_fix", ...repeated(3, "valid")]);
  });

  test.each([1, 2, 3, 4])("are outvoted by more than them: here they are %d", (count) => {
    const first = times(count, (index) => seen(index - count, 700 * km));
    const others = times(5, (index) => seen(1 + index, 0));
    const needed = Math.max(4, count + 1);
    const tooFew = run([...first, ...others.slice(0, needed - 1)]);
    expect(tooFew.words).toEqual([...repeated(count, "valid"), ...repeated(needed - 1, "implausible_jump")]);
    const enough = run([...first, ...others.slice(0, needed)]);
    expect(enough.words).toEqual([...repeated(count, "implausible_jump"), ...repeated(needed, "valid")]);
  });

  test("are outvoted after a search for satellites of four minutes, too", () => {
    const search = times(250, (index) => lost(1 + index));
    const others = times(4, (index) => seen(260 + index, 0));
    const { words } = run([seen(0, 700 * km), ...search, ...others]);
    expect(words).toEqual(["implausible_jump", ...repeated(250, "no_fix"), ...repeated(4, "valid")]);
  });

  test("after a long silence are outvoted, without a discontinuity if the frame before it reaches the others", () => {
    const first = [seen(3600, 200 * km), seen(3601, 200 * km)];
    const others = times(4, (index) => seen(3610 + index * 10, km + index * 200, { speed_kmh: 72 }));
    const { words } = run([...atHome(), ...first, ...others]);
    expect(words.slice(homeFrames)).toEqual([...repeated(2, "implausible_jump"), ...repeated(4, "valid")]);
    // One alone sticks out between the frame before it and the others.
    const alone = run([...atHome(), ...first.slice(0, 1), ...others]);
    expect(alone.words.slice(homeFrames)).toEqual(["spike", ...repeated(4, "valid")]);
  });

  test("after a long silence are outvoted, with a discontinuity if the frame before it does not reach the others", () => {
    const others = times(4, (index) => seen(3610 + index * 10, 5000 * km));
    const { words } = run([...atHome(), seen(3600, 200 * km), ...others]);
    expect(words.slice(homeFrames)).toEqual(["implausible_jump", "elsewhere", ...repeated(3, "valid")]);
  });

  test("are borne out by the next one", () => {
    const away = times(3, (index) => seen(20 + index * 10, 700 * km));
    const { words } = run([seen(0, 0), seen(10, 0), ...away, seen(50, 0)]);
    expect(words).toEqual(["valid", "valid", ...repeated(3, "implausible_jump"), "valid"]);
  });

  test("of a vehicle parked for days that is gone give way to where it is now", () => {
    const parked = times(72, (index) => seen((index - 71) * 3600, index % 3));
    const away = times(4, (index) => seen((1 + index) * 3600, 1500 * km + index));
    const { words } = run([...parked, ...away]);
    expect(words).toEqual([...repeated(71, "valid"), "implausible_jump", "elsewhere", ...repeated(3, "valid")]);
  });

  test("of a vehicle parked for days are where it drives off from", () => {
    const parked = times(48, (index) => seen((index - 47) * 3600, 0));
    const drive = times(30, (index) => seen(600 + index * 30, index * 400, { speed_kmh: 48 }));
    expect(run([...parked, ...drive]).words).toEqual(repeated(78, "valid"));
  });

  test("that are settled stay valid, and the others are a discontinuity once they have lasted", () => {
    const waiting = times(maxPending - 1, (index) => lost(1 + index / 10));
    const held = run([seen(0, 0), ...waiting]);
    expect(held.settled).toEqual([]);
    const given = [seen(0, 0), ...waiting, lost(100)];
    expect(run(given).state.pending).toEqual([]);
    const away = times(5, (index) => seen(110 + index * 15, 900 * km));
    const { words } = run([...given, ...away]);
    expect(words).toEqual(["valid", ...repeated(maxPending, "no_fix"), "elsewhere", ...repeated(4, "valid")]);
  });
});

describe("chains", () => {
  test("two at once are kept apart, and the first to convince is believed", () => {
    const frames = times(14, (index) => seen(5 + index * 5, (index % 2 === 0 ? 500 : 2000) * km));
    const { words, state } = run([...atHome(), ...frames]);
    const expected = times(13, (index) => (index % 2 === 0 ? "valid" : "implausible_jump"));
    expect(words.slice(homeFrames)).toEqual(["elsewhere", ...expected.slice(1), "implausible_jump"]);
    expect(state.chains).toHaveLength(1);
  });

  test("a frame joins the one that it is slower to reach from", () => {
    // From 500 km it takes 90 km/h, from 501 km it takes none.
    const { state } = run([...atHome(), seen(10, 500 * km), seen(11, 501 * km), seen(51, 501 * km)]);
    expect(state.chains.map(({ frames }) => frames)).toEqual([1, 2]);
  });

  test("of more than three, the one that has waited longest is given up", () => {
    const frames = [500, 1000, 1500, 500, 2000].map((distance, index) => seen(10 + index, distance * km));
    const { state, words } = run([...atHome(), ...frames]);
    expect(state.chains.map(({ id, frames: count }) => [id, count])).toEqual([
      [0, 2],
      [2, 1],
      [1, 1],
    ]);
    expect(words.slice(homeFrames)).toEqual(repeated(5, "implausible_jump"));
    const back = [seen(40, 1000 * km), seen(50, 500 * km), seen(60, 500 * km), seen(71, 500 * km)];
    expect(run([...atHome(), ...frames, ...back]).words.slice(homeFrames)).toEqual([
      "elsewhere",
      ...repeated(2, "implausible_jump"),
      "valid",
      ...repeated(2, "implausible_jump"),
      ...repeated(3, "valid"),
    ]);
  });

  test("a tracker that tells another place each time is believed a minute after it settles", () => {
    const random = times(500, (index) => seen(10 + index * 10, (500 + ((index * 7919) % 97) * 60) * km));
    const settled = times(7, (index) => seen(5010 + index * 10, 3000 * km));
    expect(run([...atHome(), ...random, ...settled]).words.slice(-7)).toEqual(["elsewhere", ...repeated(6, "valid")]);
  });
});

describe("a spike", () => {
  const spiked = [...atHome(), seen(60, 3 * km), seen(120, 50)];

  test("at the end of the data is valid until the next frame", () => {
    expect(run(spiked.slice(0, -1)).words).toEqual(repeated(homeFrames + 1, "valid"));
    const { all, words } = run(spiked);
    expect(words).toEqual([...repeated(homeFrames, "valid"), "spike", "valid"]);
    expect(all[homeFrames]?.speedKmh).toBeNull();
  });

  test("is forgotten: what comes goes on from the frame before it", () => {
    // But for its place, in case that another tracker sends from there.
    const { state } = run(spiked);
    expect<JudgeState>({ ...state, rival: null }).toEqual(run([...atHome(), seen(120, 50)]).state);
    expect(state.rival?.turns).toBe(1);
    // 60 km/h is less than the way back from the spike takes, but far more than the 40 m since the frame before it.
    const speeding = seen(120, 40, { speed_kmh: 60 });
    expect(speeds([...spiked.slice(0, -1), speeding]).at(-1)).toBeNull();
  });

  test("is none before frames that are no fix, until one is accepted", () => {
    const { words } = run([...spiked.slice(0, -1), lost(100), seen(110, 900 * km)]);
    expect(words.slice(homeFrames)).toEqual(["valid", "no_fix", "implausible_jump"]);
  });

  test("is found within a chain, but never over a discontinuity", () => {
    const after = (...metres: number[]) =>
      run([...atHome(), ...metres.map((away, index) => seen(10 + index * 60, 1500 * km + away))]).words.slice(
        homeFrames,
      );
    expect(after(0, 0, 3 * km, 0, 0, 0)).toEqual(["elsewhere", "valid", "spike", ...repeated(3, "valid")]);
    expect(after(0, 3 * km, 0, 0, 0)).toEqual(["elsewhere", "spike", ...repeated(3, "valid")]);
  });

  test("whose two sides are apart is a place that it was driven to", () => {
    const turned = [...atHome(), seen(60, 3 * km), seen(120, km)];
    expect(run(turned).words).toEqual(repeated(homeFrames + 2, "valid"));
  });

  test("that is settled before the next frame stays valid", () => {
    const waiting = times(maxPending, (index) => lost(61 + index / 10));
    expect(run([...atHome(), seen(60, 3 * km), ...waiting, seen(120, 0)]).words[homeFrames]).toBe("valid");
  });
});

test("nothing is pending before the first frame", () => {
  expect(run([]).all).toEqual([]);
  expect(initialJudge.pending).toEqual([]);
});

import { describe, expect, test } from "bun:test";
import type { Frame } from "../../src/domain/frame.ts";
import { initialJudge, type JudgeState } from "../../src/domain/quality/judge.ts";
import { maxPending } from "../../src/domain/quality/pending.ts";
import { lost, run, seen, word } from "./support/quality-frames.ts";

const km = 1000;
const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));
const repeated = <T>(count: number, what: T): T[] => times(count, () => what);

/** Frames at home every 10 s, so that the last, at 0 s, is not alone. */
const atHome = (count = 3): Frame[] => times(count, (index) => seen((index - count + 1) * 10, 0));

const speeds = (frames: readonly Frame[]) => run(frames).all.map(({ speedKmh }) => speedKmh);

describe("accepting", () => {
  test("the first frame is valid, and waits for the next one", () => {
    const { settled, words, state } = run([seen(0, 0)]);
    expect(settled).toEqual([]);
    expect(words).toEqual(["valid"]);
    expect(state.anchor?.isAlone).toBe(true);
  });

  test("frames that are rejected by themselves wait behind the anchor, and before one they do not wait", () => {
    const before = run([lost(0), seen(1, 0, { satellites: 3 })]);
    expect(before.settled.map(word)).toEqual(["no_fix", "low_satellites"]);
    const { settled, words } = run([seen(0, 0), lost(1), seen(2, 0, { source: "cell" })]);
    expect(settled).toEqual([]);
    expect(words).toEqual(["valid", "no_fix", "approximate"]);
    expect(run([seen(0, 0), lost(1), seen(2, 0)]).settled.map(word)).toEqual(["valid", "no_fix"]);
  });

  test("an anchor is alone after a leg of more than 600 s", () => {
    expect(run([...atHome(), seen(600, 0)]).state.anchor?.isAlone).toBe(false);
    expect(run([...atHome(), seen(600.001, 0)]).state.anchor?.isAlone).toBe(true);
  });

  test("a speed that is not believed is null, and the next is compared with none", () => {
    const drive = [0, 50, 300, 50].map((speed_kmh, second) => seen(second * 10, second * 130, { speed_kmh }));
    expect(speeds(drive)).toEqual([0, 50, null, 50]);
    const hasty = [50, 100, 100].map((speed_kmh, second) => seen(second, second * 14, { speed_kmh }));
    expect(speeds(hasty)).toEqual([50, null, 100]);
  });

  test("two places of one moment are both valid if they are close, else the second is a jump", () => {
    expect(run([...atHome(), seen(0, 99.9), seen(0, 0)]).words).toEqual(repeated(5, "valid"));
    expect(run([...atHome(), seen(0, 100.1), seen(10, 0)]).words.slice(3)).toEqual(["implausible_jump", "valid"]);
  });
});

describe("a jump", () => {
  test.each([50, 1500, 9000])("of %d km is believed after a minute, as a discontinuity", (distanceKm) => {
    const away = times(7, (index) => seen(10 + index * 10, distanceKm * km));
    const { words } = run([...atHome(), ...away.slice(0, 6)]);
    expect(words).toEqual([...repeated(3, "valid"), ...repeated(6, "implausible_jump")]);
    const { words: believed, state } = run([...atHome(), ...away]);
    expect(believed).toEqual([...repeated(3, "valid"), "elsewhere", ...repeated(6, "valid")]);
    expect(state.chains).toEqual([]);
    expect(state.pending).toHaveLength(1);
  });

  test("is believed with 3 frames over 60 s, neither with 2 nor over less", () => {
    const last = (...away: Frame[]) => run([...atHome(), ...away]).words.slice(3);
    const far = 1500 * km;
    expect(last(seen(10, far), seen(40, far), seen(70, far))).toEqual(["elsewhere", "valid", "valid"]);
    expect(last(seen(10, far), seen(40, far), seen(69.999, far))).toEqual(repeated(3, "implausible_jump"));
    expect(last(seen(10, far), seen(500, far))).toEqual(repeated(2, "implausible_jump"));
  });

  test("of a tracker that sends each second loses no frame", () => {
    const away = times(61, (index) => seen(1 + index, 50 * km + index * 20, { speed_kmh: 72 }));
    const { words } = run([...atHome(), ...away.slice(0, 9), lost(9.1), lost(9.2), lost(9.3), ...away.slice(9)]);
    const expected = ["elsewhere", ...repeated(8, "valid"), ...repeated(3, "no_fix"), ...repeated(52, "valid")];
    expect(words).toEqual([...repeated(3, "valid"), ...expected]);
  });

  test("has the speed that it reports, which no leg speaks against", () => {
    const away = times(4, (index) => seen(1 + index * 30, 50 * km + index * 700, { speed_kmh: 84 }));
    expect(speeds([...atHome(), ...away.slice(0, 2)])).toEqual(repeated(5, null));
    expect(speeds([...atHome(), ...away])).toEqual([null, null, null, 84, 84, 84, 84]);
  });

  test("is a discontinuity even if its first frames are settled and the anchor reaches the last", () => {
    const waiting = times(maxPending, (index) => lost(201 + index));
    const { words } = run([...atHome(), seen(200, 20 * km), ...waiting, seen(400, 20 * km)]);
    expect(words[3]).toBe("implausible_jump");
    expect(words.at(-1)).toBe("elsewhere");
  });

  test("of a tracker that sends ten times a second is believed as soon, with the frames that are still pending", () => {
    const away = times(601, (index) => seen(1 + index / 10, 50 * km));
    const { words } = run([...atHome(), ...away]);
    const given = away.length - maxPending - 1;
    const expected = [...repeated(given, "implausible_jump"), "elsewhere", ...repeated(maxPending, "valid")];
    expect(words).toEqual([...repeated(3, "valid"), ...expected]);
  });

  test("that ends is settled as one when the vehicle is seen where it was", () => {
    const { settled, words } = run([...atHome(), seen(10, 50 * km), lost(15), seen(20, 50 * km), seen(30, 0)]);
    const expected = [...repeated(3, "valid"), "implausible_jump", "no_fix", "implausible_jump", "valid"];
    expect(words).toEqual(expected);
    expect(settled).toHaveLength(6);
  });

  test("is confirmed by a frame that the anchor reaches, too, at more than twice the speed", () => {
    // 20 km in 400 s is 180 km/h; the chain implies none.
    const { words } = run([...atHome(), seen(200, 20 * km), seen(400, 20 * km)]);
    expect(words.slice(3)).toEqual(["elsewhere", "valid"]);
    // 40 km in 600 s is 240 km/h; the chain implies 180 km/h, which is not less than half.
    const half = run([...atHome(), seen(200, 20 * km), seen(400, 30 * km), seen(600, 40 * km)]);
    expect(half.words.slice(3)).toEqual(["implausible_jump", "implausible_jump", "valid"]);
  });

  test("is not confirmed within 100 m of the anchor", () => {
    const chain = seen(0, 100.1);
    expect(run([...atHome(), chain, seen(1, 100.1)]).words.slice(3)).toEqual(["elsewhere", "valid"]);
    expect(run([...atHome(), chain, seen(1, 99.9)]).words.slice(3)).toEqual(["implausible_jump", "valid"]);
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

  test("and began with it is believed where it is within a minute of the last cached frame", () => {
    const mixed = times(20, (index) => seen(index * 10, index % 2 === 0 ? 1500 * km : 0));
    const { words } = run([...mixed, ...times(7, (index) => seen(200 + index * 10, 0))]);
    expect(words.at(-1)).toBe("valid");
  });

  describe("that came first", () => {
    const takingTurns = (count: number, place: (turn: number) => number, cached = (_turn: number) => 1500 * km) =>
      times(count, (index) => seen(index * 10, index % 2 === 0 ? cached(index / 2) : place((index - 1) / 2)));

    test("is believed no longer once the vehicle has driven for a minute", () => {
      const { words } = run(takingTurns(360, (turn) => turn * 200));
      const expected = times(352, (index) => (index % 2 === 0 ? "implausible_jump" : "valid"));
      const before = times(7, (index) => (index % 2 === 0 ? "valid" : "implausible_jump"));
      expect(words).toEqual([...before, "elsewhere", ...expected]);
    });

    test("is left at 3 frames over 60 s and 100 m, not with less of any", () => {
      const last = (...moments: (readonly [second: number, metres: number])[]) =>
        run([seen(0, 1500 * km), ...moments.map(([second, metres]) => seen(second, metres))]).words.at(-1);
      const cached = 1500 * km;
      const turn = [
        [10, 0],
        [20, cached],
        [40, 50],
        [50, cached],
      ] as const;
      expect(last(...turn, [70, 100.1])).toBe("elsewhere");
      expect(last(...turn, [70, 99.9])).toBe("implausible_jump");
      expect(last(...turn, [69.999, 100.1])).toBe("implausible_jump");
      expect(last([10, 0], [50, cached], [70, 100.1])).toBe("implausible_jump");
    });

    test("is kept while the vehicle stands, since nobody can tell which of them is true, and left when it drives", () => {
      const standing = takingTurns(200, (turn) => (turn % 5) * 20);
      expect(run(standing).words).toEqual(times(200, (index) => (index % 2 === 0 ? "valid" : "implausible_jump")));
      const driving = [seen(2000, 1500 * km), seen(2010, 150)];
      expect(run([...standing, ...driving]).words.at(-1)).toBe("elsewhere");
    });

    test("is kept if it is told more often than the place that moves", () => {
      const frames = times(300, (index) => seen(index * 10, index % 3 === 2 ? index * 100 : 1500 * km));
      const expected = times(300, (index) => (index % 3 === 2 ? "implausible_jump" : "valid"));
      expect(run(frames).words).toEqual(expected);
    });

    test("is no cached one if it stirs, be it by a metre", () => {
      const { words } = run(
        takingTurns(
          200,
          (turn) => turn * 200,
          (turn) => 1500 * km + (turn % 2),
        ),
      );
      expect(words).toEqual(times(200, (index) => (index % 2 === 0 ? "valid" : "implausible_jump")));
    });
  });

  test("that it could reach leaves spikes", () => {
    const { words } = run(times(20, (index) => seen(index * 900, index % 2 === 0 ? 0 : 50 * km)));
    expect(words.slice(0, 19)).toEqual(times(19, (index) => (index % 2 === 0 ? "valid" : "spike")));
  });
});

describe("a lone anchor", () => {
  test("that is the first frame is thrown out by two others, which are no discontinuity", () => {
    const { words, settled } = run([seen(0, 700 * km), seen(10, 0), lost(15), seen(20, 100)]);
    expect(words).toEqual(["implausible_jump", "valid", "no_fix", "valid"]);
    expect(settled).toHaveLength(3);
  });

  test("is thrown out after a search for satellites of four minutes, too", () => {
    const search = times(250, (index) => lost(1 + index));
    const { words } = run([seen(0, 700 * km), ...search, seen(260, 0), seen(270, 100)]);
    expect(words).toEqual(["implausible_jump", ...repeated(250, "no_fix"), "valid", "valid"]);
  });

  test("after a loose leg is thrown out, without a discontinuity if the frame before it reaches the chain", () => {
    const { words } = run([...atHome(), seen(3600, 200 * km), seen(3610, km), seen(3620, km + 200, { speed_kmh: 72 })]);
    expect(words.slice(3)).toEqual(["implausible_jump", "valid", "valid"]);
  });

  test("after a loose leg is thrown out, with a discontinuity if the frame before it does not reach the chain", () => {
    const { words } = run([...atHome(), seen(3600, 200 * km), seen(3610, 5000 * km), seen(3620, 5000 * km)]);
    expect(words.slice(3)).toEqual(["implausible_jump", "elsewhere", "valid"]);
  });

  test("is borne out by the next frame", () => {
    const { words } = run([seen(0, 0), seen(10, 0), seen(20, 700 * km), seen(30, 700 * km), seen(40, 0)]);
    expect(words).toEqual(["valid", "valid", "implausible_jump", "implausible_jump", "valid"]);
  });

  test("of a vehicle parked for days that is gone gives way to where it is now", () => {
    const parked = times(72, (index) => seen((index - 71) * 3600, index % 3));
    const { words } = run([...parked, seen(3600, 1500 * km), seen(7200, 1500 * km), seen(10_800, 1501 * km)]);
    expect(words).toEqual([...repeated(71, "valid"), "implausible_jump", "elsewhere", "valid", "valid"]);
  });

  test("of a vehicle parked for days is where it drives off from", () => {
    const parked = times(48, (index) => seen((index - 47) * 3600, 0));
    const drive = times(30, (index) => seen(600 + index * 30, index * 400, { speed_kmh: 48 }));
    expect(run([...parked, ...drive]).words).toEqual(repeated(78, "valid"));
  });

  test("that is settled stays valid, and the chain after it is a discontinuity", () => {
    const waiting = times(maxPending - 1, (index) => lost(1 + index));
    const held = run([seen(0, 0), ...waiting]);
    expect(held.settled).toEqual([]);
    const given = run([seen(0, 0), ...waiting, lost(100)]);
    expect(given.state.pending).toEqual([]);
    const { words } = run([seen(0, 0), ...waiting, lost(100), seen(110, 900 * km), lost(111), seen(120, 900 * km)]);
    expect(words).toEqual(["valid", ...repeated(maxPending, "no_fix"), "elsewhere", "no_fix", "valid"]);
  });
});

describe("chains", () => {
  test("two at once are told apart, and the first to convince is believed", () => {
    const frames = times(14, (index) => seen(5 + index * 5, (index % 2 === 0 ? 500 : 2000) * km));
    const { words, state } = run([...atHome(), ...frames]);
    const expected = times(13, (index) => (index % 2 === 0 ? "valid" : "implausible_jump"));
    expect(words).toEqual([...repeated(3, "valid"), "elsewhere", ...expected.slice(1), "implausible_jump"]);
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
    expect(words.slice(3)).toEqual(repeated(5, "implausible_jump"));
    const back = run([...atHome(), ...frames, seen(40, 1000 * km), seen(71, 500 * km)]);
    expect(back.words.slice(3)).toEqual([
      "elsewhere",
      ...repeated(2, "implausible_jump"),
      "valid",
      ...repeated(2, "implausible_jump"),
      "valid",
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
    expect(run(spiked.slice(0, 4)).words).toEqual(repeated(4, "valid"));
    const { all, words } = run(spiked);
    expect(words).toEqual([...repeated(3, "valid"), "spike", "valid"]);
    expect(all[3]?.speedKmh).toBeNull();
  });

  test("is forgotten: what comes goes on from the frame before it", () => {
    expect(run(spiked).state).toEqual(run([...atHome(), seen(120, 50)]).state);
    // 60 km/h is less than the way back from the spike takes, but far more than the 50 m since the frame before it.
    const speeding = seen(120, 50, { speed_kmh: 60 });
    expect(speeds([...spiked.slice(0, 4), speeding]).at(-1)).toBeNull();
  });

  test("is none before frames that are no fix, until one is accepted", () => {
    const { words } = run([...spiked.slice(0, 4), lost(100), seen(110, 900 * km)]);
    expect(words.slice(3)).toEqual(["valid", "no_fix", "implausible_jump"]);
  });

  test("is found within a chain, but never over a discontinuity", () => {
    const far = 1500 * km;
    const found = run([...atHome(), seen(10, far), seen(70, far), seen(130, far + 3 * km), seen(190, far)]);
    expect(found.words.slice(3)).toEqual(["elsewhere", "valid", "spike", "valid"]);
    const first = run([...atHome(), seen(10, far), seen(70, far + 3 * km), seen(130, far), seen(190, far)]);
    expect(first.words.slice(3)).toEqual(["elsewhere", "spike", "valid", "valid"]);
  });

  test("whose two sides are apart is a place that it was driven to", () => {
    const turned = [...atHome(), seen(60, 3 * km), seen(120, km)];
    expect(run(turned).words).toEqual(repeated(5, "valid"));
  });

  test("that is settled before the next frame stays valid", () => {
    const waiting = times(maxPending, (index) => lost(61 + index / 10));
    expect(run([...atHome(), seen(60, 3 * km), ...waiting, seen(120, 0)]).words[3]).toBe("valid");
  });
});

test("a stored state that knows of no rival yet goes on as one without", () => {
  const frames = [...atHome(), seen(10, 50 * km), lost(15), seen(20, 0), seen(30, 50 * km), seen(40, 0)];
  const older = ({ anchor, prev, chains, pending }: JudgeState) => ({ anchor, prev, chains, pending }) as JudgeState;
  expect(run(frames, older).words).toEqual(run(frames).words);
});

test("nothing is pending before the first frame", () => {
  expect(run([]).all).toEqual([]);
  expect(initialJudge.pending).toEqual([]);
});

import { describe, expect, test } from "bun:test";
import type { Frame } from "../../src/domain/frame.ts";
import { ownProblem } from "../../src/domain/quality/own-verdict.ts";
import { rejectReasons } from "../../src/domain/verdict.ts";
import { frameWith } from "./support/quality-frames.ts";

const rows: readonly (readonly [string, Partial<Frame>, string | null])[] = [
  ["nothing wrong", {}, null],
  ["the tracker says it has no fix", { fix: false }, "no_fix"],
  ["the tracker does not say whether it has a fix", { fix: null }, null],
  ["no latitude", { latitude: null }, "no_fix"],
  ["no longitude", { longitude: null }, "no_fix"],
  ["the poles", { latitude: -90 }, null],
  ["beyond a pole", { latitude: -90.000001 }, "out_of_range"],
  ["the antimeridian", { longitude: -180 }, null],
  ["beyond the antimeridian", { longitude: 180.000001 }, "out_of_range"],
  ["0, 0", { latitude: 0, longitude: -0 }, "zero_coordinates"],
  ["just below 0.001°", { latitude: 0.000999, longitude: -0.000999 }, "zero_coordinates"],
  ["0.001° north of 0, 0", { latitude: 0.001, longitude: 0 }, null],
  ["0.001° west of 0, 0", { latitude: 0, longitude: -0.001 }, null],
  ["on the equator", { latitude: 0 }, null],
  ["by GPS", { source: "gps" }, null],
  ["by mobile cells", { source: "cell" }, "approximate"],
  ["by wireless networks", { source: "wifi" }, "approximate"],
  ["no satellite, of a tracker that may not count them", { satellites: 0 }, null],
  ["1 satellite", { satellites: 1 }, "low_satellites"],
  ["3 satellites", { satellites: 3 }, "low_satellites"],
  ["4 satellites", { satellites: 4 }, null],
  ["accuracy of 200 m", { accuracy_m: 200 }, null],
  ["accuracy of 200.01 m", { accuracy_m: 200.01 }, "low_precision"],
  ["hdop of 20", { hdop: 20 }, null],
  ["hdop of 20.01", { hdop: 20.01 }, "low_precision"],
  ["hdop of 99 where the accuracy is known", { hdop: 99, accuracy_m: 200 }, null],
  ["hdop of 99 where the accuracy is negative, so unknown", { hdop: 99, accuracy_m: -1 }, "low_precision"],
  ["a negative accuracy alone", { accuracy_m: -1 }, null],
];

describe("what a frame says about itself", () => {
  test.each(rows)("%s", (_, fields, reason) => {
    expect(ownProblem(frameWith(fields))).toBe(reason as ReturnType<typeof ownProblem>);
  });

  test("is rejected for the first reason of the table that holds", () => {
    const wrongs: readonly (readonly [string, Partial<Frame>])[] = [
      ["low_precision", { accuracy_m: 1000 }],
      ["low_satellites", { satellites: 1 }],
      ["approximate", { source: "cell" }],
      ["zero_coordinates", { latitude: 0, longitude: 0 }],
      ["out_of_range", { latitude: 91 }],
      ["no_fix", { fix: false }],
    ];
    let fields: Partial<Frame> = {};
    for (const [reason, wrong] of wrongs) {
      fields = { ...fields, ...wrong };
      expect(ownProblem(frameWith(fields)) as string).toBe(reason);
    }
    const inOrder = rejectReasons.filter((reason) => wrongs.some(([wrong]) => wrong === reason));
    expect(inOrder as string[]).toEqual(wrongs.map(([reason]) => reason).toReversed());
  });

  test("no satellite is too few of a tracker that counts them", () => {
    expect(ownProblem(frameWith({ satellites: 0 }), true)).toBe("low_satellites");
    expect(ownProblem(frameWith({ satellites: null }), true)).toBeNull();
    expect(ownProblem(frameWith({ satellites: 4 }), true)).toBeNull();
  });
});

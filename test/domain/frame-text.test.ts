import { expect, test } from "bun:test";
import fc from "fast-check";
import { exampleFrame } from "../../src/api/records/position.ts";
import { areInOrder, formatFrame, frameLayout, parseFrame, parsePlace } from "../../src/domain/frame-text.ts";
import { accepted, acceptedDiscontinuity, rejectReasons } from "../../src/domain/verdict.ts";
import { verdictColumns } from "../support/frame-rows.ts";

const ms = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(9999, 11, 31) });
const number = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)));
const frame = fc.record({
  recordedAt: ms,
  receivedAt: ms,
  digest: fc.maxSafeNat(),
  latitude: number,
  longitude: number,
  altitude_m: number,
  speed_kmh: number,
  heading_deg: number,
  accuracy_m: number,
  satellites: fc.option(fc.nat()),
  hdop: number,
  ignition: fc.option(fc.boolean()),
  odometer_km: number,
  battery_percent: number,
  external_voltage_v: number,
  event: fc.option(fc.string({ unit: "binary" })),
});

test("property: a frame comes out of its text as it went in, and the text ends where its line does", () => {
  fc.assert(
    fc.property(frame, (given) => {
      const text = formatFrame(given, accepted);
      expect(text.indexOf(frameLayout.end)).toBe(text.length - 1);
      expect(parseFrame(text)).toEqual(given);
      expect(parsePlace(text)).toEqual({ recordedAt: given.recordedAt, digest: given.digest });
    }),
  );
});

test("property: frames are in order if each was recorded after the one before, or at the same time with a greater digest", () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 5 }), fc.constantFrom(1, 1_000, Date.UTC(9999, 0)), (given, stepMs) => {
      // Large steps, so that some of them are of the same time.
      const frames = given.map((one) => ({ ...one, recordedAt: Math.floor(one.recordedAt / stepMs) * stepMs }));
      const isAscending = frames.every((one, index) => {
        const before = frames[index - 1];
        if (!before || before.recordedAt < one.recordedAt) return true;
        return before.recordedAt === one.recordedAt && before.digest <= one.digest;
      });
      expect(areInOrder(frames.map((one) => formatFrame(one, accepted)).join(""))).toBe(isAscending);
    }),
  );
});

test("each verdict comes out of the text as it went in, and changes nothing else", () => {
  const rejected = rejectReasons.map((rejectReason) => ({ valid: false, rejectReason, discontinuity: false }));
  for (const verdict of [accepted, acceptedDiscontinuity, ...rejected]) {
    const { valid, rejectReason: reject_reason, discontinuity } = verdict;
    const text = formatFrame({ ...exampleFrame, event: "sos" }, verdict);
    expect(verdictColumns(text)).toEqual({ valid, reject_reason, discontinuity });
    expect(parseFrame(text)).toEqual({ ...exampleFrame, event: "sos" });
  }
});

test("the longest number there is has its length told", () => {
  const longest = -0.0000010000003136233791;
  expect(String(longest)).toHaveLength(25);
  expect(parseFrame(formatFrame({ ...exampleFrame, hdop: longest }, accepted)).hdop).toBe(longest);
});

test("a frame is short, and says the date of its receipt only if it is another one", () => {
  const text = formatFrame(exampleFrame, accepted);
  const [lengths, digest] = ["<:94253234:260", "1e142jcjctj"];
  const [recorded, received] = ["2026-03-17T08:02:30.000", "08:02:31.184"];
  const values = "52.520006613.40495434.546287.43.2140.8true184037.9129813.842";
  expect(text).toBe(`${lengths}${digest}${recorded}${received}${values}\n`);
  const nextDay = formatFrame({ ...exampleFrame, receivedAt: exampleFrame.receivedAt + 86_400_000 }, accepted);
  expect(nextDay).toHaveLength(text.length + frameLayout.date);
});

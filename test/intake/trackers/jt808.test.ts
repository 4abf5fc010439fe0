import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { jt808 } from "../../../src/intake/trackers/jt808/family.ts";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { forAll } from "../../support/for-all.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { batchBody, doubleWord, encodeMessage, locationBody, word } from "../../support/trackers/jt808-encoder.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";

const at = Date.UTC(2026, 4, 6, 7, 8, 9);
const here = { at, latitude: 48.2, longitude: 16.3 };
const located = locationBody(here);
const none = Buffer.alloc(0);
const hex = (bytes: Uint8Array | null | undefined) => (bytes ? Buffer.from(bytes).toString("hex") : bytes);
const decode = (message: Uint8Array, session = jt808.begin()) => jt808.decode(message, session, receivedAt);

testStreamRules(jt808, [
  encodeMessage({ type: 0x0100, body: Buffer.from("0000000000000000", "hex") }),
  encodeMessage({ type: 0x0102, body: Buffer.from("13800138000") }),
  encodeMessage({ type: 0x0200, body: located, serial: 0x7e7d }),
  encodeMessage({ type: 0x0200, body: located, serial: 3, version: 1, phone: "123456789012345678" }),
  encodeMessage({ type: 0x0704, body: batchBody([located, located]), serial: 4 }),
  encodeMessage({ type: 0x0704, body: batchBody([located]).subarray(0, 10), serial: 5, part: { total: 2, number: 1 } }),
  encodeMessage({ type: 0x0704, body: batchBody([located]).subarray(10), serial: 6, part: { total: 2, number: 2 } }),
  encodeMessage({ type: 0x0002, body: none, serial: 7 }),
  Uint8Array.from(Buffer.from("(794104004140,1,001,BASE,2,TIME)")),
]);

test("what a terminal sends is what is read, in both editions", () => {
  const place = fc.record({
    at: fc.integer({ min: Date.UTC(2000, 0, 1) / 1000, max: Date.UTC(2099, 0, 1) / 1000 }).map((s) => s * 1000),
    latitude: fc.integer({ min: -90_000_000, max: 90_000_000 }).map((n) => n / 1e6),
    longitude: fc.integer({ min: -180_000_000, max: 180_000_000 }).map((n) => n / 1e6),
    altitude: fc.integer({ min: -400, max: 9_000 }),
    speedKmh: fc.integer({ min: 0, max: 3_000 }).map((n) => n / 10),
    heading: fc.integer({ min: 0, max: 359 }),
    isIgnitionOn: fc.boolean(),
    isLocated: fc.boolean(),
    mileage: fc.integer({ min: 0, max: 99_999_999 }),
    satellites: fc.integer({ min: 0, max: 60 }),
  });
  const phone = fc.integer({ min: 1, max: 99_999_999_999 }).map(String);
  forAll(500, [place, phone, fc.integer({ min: 0, max: 0xffff }), fc.boolean()], (sent, number, serial, is2019) => {
    const items = [
      [0x01, doubleWord(sent.mileage)],
      [0x31, Buffer.from([sent.satellites])],
    ] as const;
    const body = locationBody({ ...sent, items });
    const message = encodeMessage({ type: 0x0200, body, phone: number, serial, ...(is2019 ? { version: 1 } : {}) });
    expect(jt808.cut(message)).toEqual({ kind: "message", length: message.length });
    const decoded = decode(message);
    expect(decoded.identity?.value).toBe(number);
    expect(decoded.problem).toBeNull();
    expect(decoded.frames.length).toBe(1);
    const motion = { altitude_m: sent.altitude, speed_kmh: sent.speedKmh, heading_deg: sent.heading };
    const position = { latitude: sent.latitude + 0, longitude: sent.longitude + 0, ...motion };
    const nowhere = { latitude: null, longitude: null, altitude_m: null, speed_kmh: null, heading_deg: null };
    expect(decoded.frames[0]).toMatchObject({
      recordedAt: sent.at,
      ...(sent.isLocated ? position : nowhere),
      fix: sent.isLocated,
      ignition: sent.isIgnitionOn,
      odometer_km: sent.mileage / 10,
      satellites: sent.satellites,
    });
  });
});

test("whatever the body of a message is, it is read or named, and every number of its frames can be stored", () => {
  const types = [
    0x0002, 0x0100, 0x0200, 0x0201, 0x0210, 0x0500, 0x0702, 0x0704, 0x0801, 0x0900, 0x5501, 0x5502, 0x0abc,
  ];
  const item = fc.tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 40 }));
  const items = fc
    .array(item, { maxLength: 12 })
    .map((list) => list.flatMap(([id, value]) => [id, value.length, ...value]));
  const anyBody = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => [...bytes]),
    items.map((bytes) => [...located, ...bytes]),
    items.map((bytes) => [0, 1, 0, 0, 28 + bytes.length, ...located, ...bytes]),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => [0xf0, ...located.subarray(22), 0, 0, 1, ...bytes]),
  );
  forAll(3_000, [fc.constantFrom(...types), anyBody, fc.boolean()], (type, bytes, is2019) => {
    const body = Buffer.from(bytes.slice(0, 1023));
    const decoded = decode(encodeMessage({ type, body, ...(is2019 ? { version: 1 } : {}) }));
    for (const frame of decoded.frames) {
      const numbers = [frame, ...frame.sensors]
        .flatMap((values) => Object.values(values))
        .filter((value) => typeof value === "number");
      expect(numbers.every((number) => Number.isFinite(number) && !Object.is(number, -0))).toBe(true);
    }
    expect(decoded.what).not.toBe("");
  });
});

describe("the stream", () => {
  const push = (...chunks: readonly (Uint8Array | string)[]) => {
    const stream = new MessageStream(jt808);
    const bytes = Buffer.concat(chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk, "hex") : chunk)));
    return [...stream.push(bytes)]
      .map((message) => decode(message.slice()))
      .map(({ what, problem }) => problem?.kind ?? what);
  };
  const heartbeat = encodeMessage({ type: 0x0002, body: none });
  const location = encodeMessage({ type: 0x0200, body: located });

  test("noise before and between messages costs none of them", () => {
    expect(push("00ff", heartbeat, "e7e7", location)).toEqual(["heartbeat 0x0002", "location 0x0200"]);
    expect(push("7e", heartbeat, "7e7e", location)).toEqual(["heartbeat 0x0002", "location 0x0200"]);
    expect(push("28ff", heartbeat, "2841", location)).toEqual(["heartbeat 0x0002", "location 0x0200"]);
  });

  test("a message whose end was lost does not take the next one with it", () => {
    expect(push(location.subarray(0, 30), heartbeat)).toEqual(["checksum", "heartbeat 0x0002"]);
    expect(push(location.subarray(0, 5), heartbeat)).toEqual(["heartbeat 0x0002"]);
  });

  test("a start without an end is given up at the longest message", () => {
    const endless = Buffer.concat([Buffer.from([0x7e]), Buffer.alloc(jt808.maxMessageBytes)]);
    expect(jt808.cut(endless.subarray(0, jt808.maxMessageBytes - 1)).kind).toBe("incomplete");
    expect(jt808.cut(endless.subarray(0, jt808.maxMessageBytes)).kind).toBe("noise");
    expect(jt808.cut(Buffer.alloc(511, 0x28)).kind).toBe("incomplete");
    expect(jt808.cut(Buffer.alloc(512, 0x28)).kind).toBe("noise");
  });

  test("the longest message fits, every byte of it escaped", () => {
    const longest = encodeMessage({
      type: 0x0900,
      body: Buffer.alloc(1023, 0x7e),
      version: 1,
      part: { number: 1, total: 1 },
    });
    expect(longest.length).toBeLessThanOrEqual(jt808.maxMessageBytes);
    expect(jt808.cut(longest)).toEqual({ kind: "message", length: longest.length });
  });

  test("a wrong check byte is named and not answered", () => {
    const wrong = Uint8Array.from(heartbeat);
    wrong[wrong.length - 2] = (wrong[wrong.length - 2] ?? 0) ^ 1;
    const decoded = decode(wrong);
    expect(decoded.problem).toEqual({ kind: "checksum", detail: "the check byte is a8, not a9" });
    expect(decoded.reply).toBeNull();
  });

  test("a tracker that does not escape 0x7d is understood", () => {
    const content = Buffer.concat([word(0x0002), word(0), Buffer.from("013800138000", "hex"), word(0x7d01)]);
    const check = content.reduce((sum, byte) => sum ^ byte, 0);
    const decoded = decode(Uint8Array.from([0x7e, ...content, check, 0x7e]));
    expect(decoded.problem).toBeNull();
    expect(hex(decoded.reply)).toBe("7e800100050138001380000000" + "7d0101" + "000200" + "507e");
  });
});

describe("who sends", () => {
  const identity = (phone: string, version?: number) =>
    decode(encodeMessage({ type: 0x0002, body: none, phone, ...(version === undefined ? {} : { version }) })).identity;

  test("the number without leading zeros, or the IMEI", () => {
    expect(identity("13800138000")).toEqual({ kind: "tracker_id", value: "13800138000" });
    expect(identity("13800138000", 1)).toEqual({ kind: "tracker_id", value: "13800138000" });
    expect(identity("866496077582164", 1)).toEqual({ kind: "imei", value: "866496077582164" });
    expect(identity("4f07788ef676")).toEqual({ kind: "imei", value: "868935060005020" });
    expect(identity("f00000000001")).toEqual({ kind: "tracker_id", value: "f00000000001" });
    expect(identity("4f07788ef676", 1)).toEqual({ kind: "tracker_id", value: "4f07788ef676" });
    expect(identity("0")).toBeUndefined();
  });

  test("a terminal without a number is known by the IMEI in its items, if that is one", () => {
    const named = (imei: string) => {
      const item = Buffer.concat([Buffer.from("001100d5", "hex"), Buffer.from(imei)]);
      const body = locationBody({ ...here, items: [[0xeb, item]] });
      return decode(encodeMessage({ type: 0x0200, phone: "0", body })).identity;
    };
    expect(named("351840620272868")).toEqual({ kind: "imei", value: "351840620272868" });
    expect(named("000000000000000")).toBeUndefined();
  });
});

test("a padlock that is charging sends no level, and nothing is wrong with that", () => {
  const padlock =
    "7e550104337401903111850622072002454206133574075359513a0000080100000001aa00005ded05e203000000000c06005affb5ffb40a0302dc65100100137e";
  const decoded = decode(Uint8Array.from(Buffer.from(padlock, "hex")));
  expect(decoded.leftOut).toEqual([]);
  expect(decoded.frames[0]?.battery_percent).toBeNull();
});

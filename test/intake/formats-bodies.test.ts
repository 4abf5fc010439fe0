import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../src/domain/errors.ts";
import { readCanonicalFrame } from "../../src/intake/formats/canonical.ts";
import { isOrdinaryJson } from "../../src/intake/json-shape.ts";
import { readFrameBody, readJsonBody } from "../../src/intake/read-frames.ts";
import { frameDigest } from "../../src/store/blocks/frame-digest.ts";
import { forAll } from "../support/for-all.ts";

const now = Date.UTC(2026, 2, 14, 8, 30);
const frame = (latitude: number) => ({ imei: "356307042441013", recorded_at: "2026-03-14T08:15:30Z", latitude });
const bytes = (text: string) => new TextEncoder().encode(text);

/** Of each frame its latitude, or why it was refused. */
function read(text: string, contentType: string | null = null): unknown[] {
  return readFrameBody(bytes(text), contentType, now).map((item) => (typeof item === "string" ? item : item.latitude));
}

function failure(body: () => unknown): string {
  try {
    body();
  } catch (error) {
    if (error instanceof Failure) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "nothing failed";
}

const [one, two] = [JSON.stringify(frame(1)), JSON.stringify(frame(2))];
const notAnObject = "expected an object, got 7";

describe("a body of frames", () => {
  test.each<[string, string, string | null, unknown[]]>([
    ["an array", `[${one},${two}]`, "application/json", [1, 2]],
    ["an empty array", "[]", "application/json", []],
    ["an array with a bad item", `[${one},7]`, "application/json", [1, notAnObject]],
    ["an array that calls itself lines", ` [${one}]`, "application/x-ndjson", [1]],
    ["an object", one, "application/json; charset=utf-8", [1]],
    ["an object over several lines", JSON.stringify(frame(1), null, 2), null, [1]],
    ["lines", `${one}\n${two}\n`, "application/x-ndjson", [1, 2]],
    ["lines that do not say so", `${one}\n${two}`, "application/json", [1, 2]],
    ["lines with CRLF and blank ones between", `\r\n${one}\r\n\r\n \n${two}`, null, [1, 2]],
    ["lines with a bad one", `${one}\n{"imei":\n7\n${two}`, null, [1, "not JSON", notAnObject, 2]],
    ["one line that is broken", '{"imei":', "application/x-ndjson; charset=utf-8", ["not JSON"]],
    ["a byte-order mark before it", `\uFEFF[${one}]`, null, [1]],
    ["a byte-order mark before lines", `\uFEFF${one}\n${two}`, null, [1, 2]],
  ])("may be %s", (_, text, contentType, expected) => expect(read(text, contentType)).toEqual(expected));

  test.each<[string, string | Uint8Array, string]>([
    ["nothing", "", "the body is empty: expected frames"],
    ["blanks", " \n ", "the body is empty: expected frames"],
    ["an array that breaks off", `[${one},`, "the body is not JSON"],
    ["an object that breaks off", '{"imei":', "the body is not JSON"],
    ["plain text", "hello", "the body is not JSON"],
    ["a number", "7", "expected an array of frames, one frame, or one frame a line"],
    ["null", "null", "expected an array of frames, one frame, or one frame a line"],
    ["Latin-1", new Uint8Array([0x5b, 0x22, 0xe9, 0x22, 0x5d]), "the body is not UTF-8"],
    ["half a character", new Uint8Array([0x5b, 0x22, 0xc3]), "the body is not UTF-8"],
  ])("is refused as a whole if it is %s", (_, body, message) => {
    const sent = typeof body === "string" ? bytes(body) : body;
    expect(failure(() => readFrameBody(sent, "application/json", now))).toBe(`INVALID_REQUEST: ${message}`);
  });

  test("holds 10,000 frames and not one more", () => {
    const many = Array(10_000).fill("7");
    const tooMany = "INVALID_REQUEST: expected at most 10000 frames in one body";
    expect(read(`[${many.join()}]`)).toHaveLength(10_000);
    expect(failure(() => read(`[${many.join()},7]`))).toBe(tooMany);
    expect(read(many.join("\n"))).toHaveLength(10_000);
    expect(failure(() => read(`${many.join("\n")}\n7`))).toBe(tooMany);
  });
});

test("the JSON of another format's body is read, or is a failure", () => {
  expect(readJsonBody(bytes('\uFEFF{"a":1}'))).toEqual({ a: 1 });
  expect(failure(() => readJsonBody(bytes("")))).toBe("INVALID_REQUEST: the body is not JSON");
});

const bytesOf = (text: string) => new TextEncoder().encode(text);

const largeBytes = 1024 * 1024 + 1;

/** Repeats a text until it is large enough to be looked through. */
const repeated = (text: string) => text.repeat(Math.ceil(largeBytes / text.length));

test("frames are ordinary, however many fields, sensors and odd texts they have", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('\\"{[,', "\\", '"', "}}}]]]"));
  const frame = fc.record({
    imei: text,
    event: text,
    sensors: fc.array(fc.record({ sensor: text }), { maxLength: 20 }),
  });
  forAll(10, [fc.array(frame, { minLength: 1, maxLength: 20 }), fc.boolean()], (frames, isLines) => {
    const copies = Math.ceil(largeBytes / (JSON.stringify(frames).length - "[]".length));
    const all = Array.from({ length: copies }, () => frames).flat();
    const body = isLines ? all.map((one) => JSON.stringify(one)).join("\n") : JSON.stringify(all);
    expect(isOrdinaryJson(bytesOf(body), all.length)).toBe(true);
    if (!isLines && all.length > 1) expect(isOrdinaryJson(bytesOf(body), all.length - 1)).toBe(false);
  });
});

test.each([
  ["millions of empty objects", `[${repeated("{},")}{}]`],
  ["arrays in arrays in arrays", repeated("[")],
  ["an object with a hundred thousand members", `[{${repeated('"a":1,')}"a":1}]`],
  ["a list of numbers where a frame should be", `[[${repeated("1,")}1]]`],
])("%s are not", (_, body) => expect(isOrdinaryJson(bytesOf(body), 10_000)).toBe(false));

const imei = "356307042441013";

function digestOf(json: string, receivedAt = now): number {
  const frame = readCanonicalFrame(JSON.parse(json), receivedAt);
  if (typeof frame === "string") throw new Error(frame);
  return frameDigest(frame);
}

const number = (most: number) => fc.double({ min: 0, max: most, noNaN: true });

const frames = fc.record(
  {
    imei: fc.constant(imei),
    recorded_at: fc
      .date({ min: new Date(0), max: new Date(now), noInvalidDate: true })
      .map((date) => date.toISOString()),
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    altitude_m: number(9000),
    speed_kmh: number(250),
    heading_deg: number(360),
    accuracy_m: number(200),
    satellites: fc.nat(40),
    hdop: number(20),
    ignition: fc.boolean(),
    odometer_km: number(1e6),
    battery_percent: number(100),
    external_voltage_v: number(30),
    event: fc.constantFrom("sos", "jamming", "tür,auf", "門"),
    fix: fc.boolean(),
    source: fc.constantFrom("gps", "cell", "wifi"),
    sensors: fc.uniqueArray(
      fc.record({ kind: fc.constant("fuel"), sensor: fc.constantFrom("a", "b", "c"), level_percent: number(100) }),
      { minLength: 1, maxLength: 3, selector: ({ sensor }) => sensor },
    ),
  },
  { requiredKeys: ["imei"] },
);

describe("the digest of a frame", () => {
  test("is 53 bits of a fixed hash of a fixed text, on every machine and in every version", () => {
    expect(Bun.hash.xxHash64("")).toBe(0xef46db3751d8e999n);
    expect(Bun.hash.xxHash64("abc")).toBe(0x44bc2cf5ad770999n);
    const text = 'null,null,null,[null,null,null,null,null,null,null,null,null,null,null,null,"tür"]';
    const digest = Number(Bun.hash.xxHash64(new TextEncoder().encode(text)) >> 11n);
    expect(digestOf(`{"imei":"${imei}","event":"tür"}`)).toBe(digest);
    expect(digest).toBe(8_933_772_962_385_604);
  });

  test("is a whole number that JavaScript holds exactly", () => {
    fc.assert(fc.property(frames, (frame) => Number.isSafeInteger(digestOf(JSON.stringify(frame)))));
  });

  test("does not depend on the order of keys, on unknown fields or on when the frame came", () => {
    forAll(100, [frames, fc.integer({ min: now - 1e9, max: now })], (frame, receivedAt) => {
      const turned = Object.fromEntries(Object.entries(frame).reverse());
      const other = { colour: "red", ...turned, received_at: new Date(receivedAt).toISOString() };
      expect(digestOf(JSON.stringify(other), now + 1)).toBe(digestOf(JSON.stringify(frame)));
    });
  });

  test("does not depend on how a number or a time is written", () => {
    const frame = (rest: string) => digestOf(`{"imei":"${imei}",${rest}}`);
    expect(frame(`"speed_kmh":1.0`)).toBe(frame(`"speed_kmh":1`));
    expect(frame(`"speed_kmh":1e1`)).toBe(frame(`"speed_kmh":10.00`));
    expect(frame(`"latitude":-0.0`)).toBe(frame(`"latitude":0`));
    expect(frame(`"hdop":null`)).toBe(frame(`"x":1`));
    expect(frame(`"recorded_at":"2026-03-14T09:15:30+01:00"`)).toBe(frame(`"recorded_at":"2026-03-14T08:15:30.000Z"`));
    expect(frame(`"sensors":[{"kind":"tyre","axle":1,"wheel":2}]`)).toBe(
      frame(`"sensors":[{"sensor":"axle_1_wheel_2","wheel":2,"axle":1,"kind":"tyre","pressure_kpa":null}]`),
    );
  });

  test("differs when any field differs, or is there in one frame only", () => {
    forAll(100, [frames, frames], (one, other) => {
      for (const name of Object.keys(other) as (keyof typeof other)[]) {
        const changed = { ...one, [name]: other[name] };
        const isSame = JSON.stringify(changed[name] ?? null) === JSON.stringify(one[name] ?? null);
        expect(digestOf(JSON.stringify(changed)) === digestOf(JSON.stringify(one))).toBe(isSame);
      }
    });
  });
});

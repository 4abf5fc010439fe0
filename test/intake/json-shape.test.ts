import { expect, test } from "bun:test";
import fc from "fast-check";
import { isOrdinaryJson } from "../../src/intake/json-shape.ts";
import { forAll } from "../support/for-all.ts";

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

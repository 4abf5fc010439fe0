import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/domain/errors.ts";
import { readFrameBody, readJsonBody } from "../../src/intake/read-frames.ts";

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

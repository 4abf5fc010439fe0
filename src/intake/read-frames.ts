import { Failure } from "../domain/errors.ts";
import { readCanonicalFrame } from "./formats/canonical.ts";
import type { IncomingFrame } from "./incoming-frame.ts";
import { isOrdinaryJson } from "./json-shape.ts";

/** Enough for a tracker's day at one frame in ten seconds, and few enough to store at once. */
const maxFrames = 10_000;

/** A byte-order mark at the start is dropped by the decoder itself. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

const ndjsonTypes = ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"];

/**
 * The frames of a body, or the reasons why they are refused, in the order they were sent. The body is a JSON array, a
 * JSON object, or one JSON object per line; its content decides which, and `contentType` only what a broken body was
 * meant to be. A body that is none of these is a `Failure`; a bad line or item is refused alone. `device` is the device
 * of frames that name none.
 */
export function readFrameBody(
  bytes: Uint8Array,
  contentType: string | null,
  now: number,
  device?: string,
): readonly (IncomingFrame | string)[] {
  if (!isOrdinaryJson(bytes, maxFrames)) throw notOrdinary();
  const text = decodeText(bytes);
  const start = text.trimStart()[0];
  if (start === undefined) throw new Failure("INVALID_REQUEST", "the body is empty: expected frames");
  if (start === "[") return readItems(parseJson(text), now, device);
  const isNdjson = ndjsonTypes.includes(mediaType(contentType));
  if (!isNdjson) {
    const single = tryJson(text);
    if (single !== undefined) return [readCanonicalFrame(requireObject(single), now, device)];
  }
  return readLines(text, isNdjson, now, device);
}

/** The JSON value of another system's body, or a `Failure`. */
export function readJsonBody(bytes: Uint8Array): unknown {
  if (!isOrdinaryJson(bytes, maxFrames)) throw notOrdinary();
  const value = parseJson(decodeText(bytes));
  if (Array.isArray(value) && value.length > maxFrames) throw tooMany();
  return value;
}

function readItems(value: unknown, now: number, device?: string): readonly (IncomingFrame | string)[] {
  const items = value as readonly unknown[];
  if (items.length > maxFrames) throw tooMany();
  return items.map((item) => readCanonicalFrame(item, now, device));
}

/** Blank lines are skipped and not counted. */
function readLines(text: string, isNdjson: boolean, now: number, device?: string): readonly (IncomingFrame | string)[] {
  const frames: (IncomingFrame | string)[] = [];
  let isAnyJson = isNdjson;
  for (let begin = 0; begin < text.length; ) {
    const newline = text.indexOf("\n", begin);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(begin, end).trim();
    begin = end + 1;
    if (line === "") continue;
    if (frames.length === maxFrames) throw tooMany();
    const value = tryJson(line);
    isAnyJson ||= value !== undefined;
    frames.push(value === undefined ? "not JSON" : readCanonicalFrame(value, now, device));
  }
  if (!isAnyJson) throw notJson();
  return frames;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure("INVALID_REQUEST", "the body is not UTF-8");
  }
}

function parseJson(text: string): unknown {
  const value = tryJson(text);
  if (value === undefined) throw notJson();
  return value;
}

/** Undefined if it is not JSON. The parser's own message is not passed on: it quotes the body. */
function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requireObject(value: unknown): unknown {
  if (typeof value === "object" && value !== null) return value;
  throw new Failure("INVALID_REQUEST", "expected an array of frames, one frame, or one frame a line");
}

function mediaType(contentType: string | null): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function notJson(): Failure {
  return new Failure("INVALID_REQUEST", "the body is not JSON");
}

function tooMany(): Failure {
  return new Failure("INVALID_REQUEST", `expected at most ${maxFrames} frames in one body`);
}

function notOrdinary(): Failure {
  const message = `expected at most ${maxFrames} frames in one body, none of them with a thousand members or nested deeply`;
  return new Failure("INVALID_REQUEST", message);
}

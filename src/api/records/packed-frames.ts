import { frameLayout, parsePlace, verdictOf } from "../../domain/frame-text.ts";
import type { DeviceIdentity } from "../../store/devices.ts";
import type { FrameKey } from "../../store/positions.ts";
import type { JsonWriter } from "./json-writer.ts";
import { Literal, writeLiteral } from "./literal.ts";
import { type Utf8Buffer, utf8Buffer } from "./utf8-buffer.ts";

/** What stands before a value: up to three words, that is 24 bytes. What is too much of the second is written over. */
class Key {
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly length: number;

  constructor(text: string) {
    const { words, length } = new Literal(text);
    [this.first = 0, this.second = 0, this.third = 0] = words;
    this.length = length;
  }
}

const latitude = new Key('Z","latitude":');
const longitude = new Key(',"longitude":');
const altitude = new Key(',"altitude_m":');
const speed = new Key(',"speed_kmh":');
const heading = new Key(',"heading_deg":');
const accuracy = new Key(',"accuracy_m":');
const satellites = new Key(',"satellites":');
const hdop = new Key(',"hdop":');
const ignition = new Key(',"ignition":');
const odometer = new Key(',"odometer_km":');
const battery = new Key(',"battery_percent":');
const voltage = new Key(',"external_voltage_v":');
const eventKey = new Literal(',"event":');
const noEvent = new Literal(',"event":null');
const receivedKey = new Key('Z","received_at":"');
const nullText = new DataView(new TextEncoder().encode("null").buffer).getInt32(0);
/** The end of almost all records, with the brace and the comma behind it. */
const ordinaryEnd = new Literal(',"event":null,"valid":true,"reject_reason":null,"discontinuity":false},');

const lineFeed = frameLayout.end.charCodeAt(0);

/** More than a record takes without what is copied from its text: its keys, its device and the plain verdict. */
const roomForFrame = 640;
/** Words of eight bytes are copied, and the last may reach behind its text. */
const roomBehind = 32;

/** The texts of a page as bytes, while they are copied from. */
let source = newSource(1 << 16);

function newSource(capacity: number): { readonly bytes: Utf8Buffer; readonly view: DataView } {
  const bytes = utf8Buffer(capacity);
  return { bytes, view: new DataView(bytes.buffer) };
}

/**
 * Writes the first `count` frames of a page, and gives the key of the last of them if others follow, else null.
 *
 * This is the innermost loop of the read API. It puts JSON together from words of eight bytes, hardly ever looks at single
 * characters, and makes no object of a frame. `| 0` tells the compiler that a sum is a small integer, so that it need not
 * make sure each time; without them all of this takes a fifth longer.
 */
export function writeFrames(
  json: JsonWriter,
  device: Pick<DeviceIdentity, "id" | "imei">,
  texts: string,
  count: number,
): FrameKey | null {
  const end = holdSource(texts);
  const { view: from } = source;
  const view = json.reserved(end + count * roomForFrame);
  const start = json.at;
  json.json(headText(device));
  const headLength = json.at - start;
  let at = start;
  let frame = 0;
  let next = 0;
  for (let index = 0; index < count && next < end; index++) {
    frame = next;
    // The first one is there, and the others are copies of it.
    copyWords(view, at, view, start, headLength);
    at = (at + headLength) | 0;
    const recorded = (frame + frameLayout.lengths + frameLayout.digest) | 0;
    copyWords(view, at, from, recorded, frameLayout.instant);
    at = writeKey(view, at + frameLayout.instant, receivedKey);
    next = (recorded + frameLayout.instant) | 0;
    const receiptLength = from.getUint8(frame) - frameLayout.zero;
    if (receiptLength < frameLayout.instant) {
      copyWords(view, at, from, recorded, frameLayout.date);
      at = (at + frameLayout.date) | 0;
    }
    copyWords(view, at, from, next, receiptLength);
    at = (at + receiptLength) | 0;
    next = (next + receiptLength) | 0;
    // In the order of reported.ts. As a loop over the fields, all of this would take half as long again.
    let length = from.getUint8(frame + 1) - frameLayout.zero;
    at = writeValue(view, at, latitude, from, next, length);
    next = (next + length) | 0;
    length = from.getUint8(frame + 2) - frameLayout.zero;
    at = writeValue(view, at, longitude, from, next, length);
    next = (next + length) | 0;
    length = from.getUint8(frame + 3) - frameLayout.zero;
    at = writeValue(view, at, altitude, from, next, length);
    next = (next + length) | 0;
    length = from.getUint8(frame + 4) - frameLayout.zero;
    at = writeValue(view, at, speed, from, next, length);
    next = (next + length) | 0;
    length = from.getUint8(frame + 5) - frameLayout.zero;
    at = writeValue(view, at, heading, from, next, length);
    next = (next + length) | 0;
    length = from.getUint8(frame + 6) - frameLayout.zero;
    at = writeValue(view, at, accuracy, from, next, length);
    next = (next + length) | 0;
    length = from.getUint8(frame + 7) - frameLayout.zero;
    at = writeValue(view, at, satellites, from, next, length);
    next = (next + length) | 0;
    length = from.getUint8(frame + 8) - frameLayout.zero;
    at = writeValue(view, at, hdop, from, next, length);
    next = (next + length) | 0;
    length = from.getUint8(frame + 9) - frameLayout.zero;
    at = writeValue(view, at, ignition, from, next, length);
    next = (next + length) | 0;
    length = from.getUint8(frame + 10) - frameLayout.zero;
    at = writeValue(view, at, odometer, from, next, length);
    next = (next + length) | 0;
    length = from.getUint8(frame + 11) - frameLayout.zero;
    at = writeValue(view, at, battery, from, next, length);
    next = (next + length) | 0;
    length = from.getUint8(frame + 12) - frameLayout.zero;
    at = writeValue(view, at, voltage, from, next, length);
    next = (next + length) | 0;
    // The length of the verdict, which is not said if it is the ordinary one.
    length = from.getUint8(frame + 13) - frameLayout.zero;
    if (length === 0 && from.getUint8(next) === lineFeed) {
      at = writeLiteral(view, at, ordinaryEnd);
    } else {
      const verdict = verdictEnd(textAt(next, next + length));
      next = (next + length) | 0;
      at = writeLiteral(view, at, from.getUint8(next) === lineFeed ? noEvent : eventKey);
      for (; from.getUint8(next) !== lineFeed; next++) view.setUint8(at++, from.getUint8(next));
      at = writeLiteral(view, at, verdict);
    }
    next++;
  }
  // Each has a comma behind it; the last one's is taken back.
  json.at = Math.max(start, at - 1);
  return next < end ? keyAt(frame) : null;
}

function writeKey(view: DataView, at: number, { first, second, third, length }: Key): number {
  view.setFloat64(at, first, true);
  view.setFloat64((at + 8) | 0, second, true);
  if (length > 16) view.setFloat64((at + 16) | 0, third, true);
  return (at + length) | 0;
}

function writeValue(view: DataView, at: number, key: Key, from: DataView, start: number, length: number): number {
  const value = writeKey(view, at, key);
  if (length === 0) {
    view.setInt32(value, nullText);
    return (value + 4) | 0;
  }
  view.setFloat64(value, from.getFloat64(start, true), true);
  if (length > 8) {
    view.setFloat64((value + 8) | 0, from.getFloat64((start + 8) | 0, true), true);
    if (length > 16) copyWords(view, value + 16, from, start + 16, length - 16);
  }
  return (value + length) | 0;
}

/** Whole words, of which the last may reach behind the text. */
function copyWords(view: DataView, at: number, from: DataView, start: number, length: number): void {
  for (let word = 0; word < length; word = (word + 8) | 0) {
    view.setFloat64((at + word) | 0, from.getFloat64((start + word) | 0, true), true);
  }
}

function keyAt(frame: number): FrameKey {
  const end = frame + frameLayout.lengths + frameLayout.digest + frameLayout.instant;
  const { recordedAt, digest } = parsePlace(textAt(frame, end));
  return { at: recordedAt, digest };
}

/** A part of the source that holds nothing but ASCII. */
function textAt(start: number, end: number): string {
  return source.bytes.toString("latin1", start, end);
}

/** Copies the texts to where they can be read as words, and tells where they end. */
function holdSource(texts: string): number {
  const most = texts.length * 3 + roomBehind;
  if (most > source.bytes.length) source = newSource(most);
  return source.bytes.utf8Write(texts, 0);
}

/** What all frames of a device begin with, up to the first time. */
function headText({ id, imei }: Pick<DeviceIdentity, "id" | "imei">): string {
  return `{"device_id":"${id}","imei":"${imei}","recorded_at":"`;
}

/** The ends of records behind their event, by what the text says of their verdict: there are a dozen. */
const verdictEnds = new Map<string, Literal>();

function verdictEnd(text: string): Literal {
  let end = verdictEnds.get(text);
  if (!end) {
    const { valid, rejectReason, discontinuity } = verdictOf(text);
    const verdict = { valid, reject_reason: rejectReason, discontinuity };
    end = new Literal(`,${JSON.stringify(verdict).slice(1)},`);
    verdictEnds.set(text, end);
  }
  return end;
}

import { packed, packedPlace } from "../../domain/packed-frame.ts";
import { reportedFields } from "../../domain/reported.ts";
import type { DeviceIdentity } from "../../store/devices.ts";
import type { FrameKey, FramePage, FrameVerdict } from "../../store/positions.ts";
import type { JsonWriter } from "./json-writer.ts";
import { Literal, writeLiteral } from "./literal.ts";

/** All values but the event, which is the last, are numbers or booleans of a known length. */
const eventIndex = reportedFields.length - 1;
const keyLiterals = reportedFields.map((name) => new Literal(`,"${name}":`));
const eventKey = keyLiterals[eventIndex] as Literal;
/** The keys of all values, each as three words, so that writing one takes no loop: what is too much is written over. */
const wordsPerKey = 3;
const keyWords = Float64Array.from(
  keyLiterals.flatMap(({ words }) => Array.from({ length: wordsPerKey }, (_, index) => words[index] ?? 0)),
);
const keyLengths = Uint8Array.from(keyLiterals, ({ length }) => length);
const nullText = new DataView(new TextEncoder().encode("null").buffer).getInt32(0);
const plainVerdict = verdictLiteral({ valid: true, reject_reason: null, discontinuity: false });

const comma = 44;
const lineFeed = packed.end.charCodeAt(0);
const instantLength = packed.date + packed.time;

/** More than a record takes without what is copied from its text: its keys, its device and the plain verdict. */
const roomForFrame = 640;
/** Words of eight bytes are copied, and the last may reach behind its text. */
const roomBehind = 32;

type Bytes = Buffer<ArrayBuffer> & { utf8Write(text: string, at: number): number };

/** The texts of a page as bytes, while they are copied from. */
let source = newSource(1 << 16);

function newSource(capacity: number): { readonly bytes: Bytes; readonly view: DataView } {
  const bytes = Buffer.from(new ArrayBuffer(capacity)) as Bytes;
  return { bytes, view: new DataView(bytes.buffer) };
}

/**
 * Writes the first `count` frames of a page, and gives the key of the last of them if others follow, else null.
 *
 * This is the innermost loop of the read API. It puts JSON together from words of eight bytes, hardly ever looks at single
 * characters, and makes no object of a frame.
 */
export function writeFrames(
  json: JsonWriter,
  device: Pick<DeviceIdentity, "id" | "imei">,
  page: FramePage,
  count: number,
): FrameKey | null {
  const end = holdSource(page.texts);
  const { view: from } = source;
  const head = headOf(device);
  const verdicts = page.verdicts?.map(verdictLiteral) ?? null;
  const roomForVerdicts = verdicts?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  const view = json.reserved(end + count * roomForFrame + roomForVerdicts);
  let at = json.at;
  let frame = 0;
  let next = 0;
  for (let index = 0; index < count && next < end; index++) {
    frame = next;
    if (index > 0) view.setUint8(at++, comma);
    next += packed.lengths + packed.digest;
    const receiptLength = from.getUint8(frame) - packed.zero;
    writeTimes(view, at, head, from, next, receiptLength === instantLength);
    at += head.literal.length;
    next += instantLength + receiptLength;
    for (let value = 0; value < eventIndex; value++) {
      const key = value * wordsPerKey;
      view.setFloat64(at, keyWords[key] as number, true);
      view.setFloat64(at + 8, keyWords[key + 1] as number, true);
      view.setFloat64(at + 16, keyWords[key + 2] as number, true);
      at += keyLengths[value] as number;
      const length = from.getUint8(frame + 1 + value) - packed.zero;
      if (length === 0) {
        view.setInt32(at, nullText);
        at += 4;
        continue;
      }
      // Hardly a number has more than 16 characters, though it may have 25.
      view.setFloat64(at, from.getFloat64(next, true), true);
      view.setFloat64(at + 8, from.getFloat64(next + 8, true), true);
      for (let word = 16; word < length; word += 8) {
        view.setFloat64(at + word, from.getFloat64(next + word, true), true);
      }
      at += length;
      next += length;
    }
    at = writeLiteral(view, at, eventKey);
    if (from.getUint8(next) === lineFeed) {
      view.setInt32(at, nullText);
      at += 4;
    } else {
      for (; from.getUint8(next) !== lineFeed; next++) view.setUint8(at++, from.getUint8(next));
    }
    next++;
    at = writeLiteral(view, at, verdicts === null ? plainVerdict : (verdicts[index] as Literal));
  }
  json.at = at;
  return next < end ? keyAt(frame) : null;
}

function keyAt(frame: number): FrameKey {
  const end = frame + packed.lengths + packed.digest + instantLength;
  const { recordedAt, digest } = packedPlace(source.bytes.toString("latin1", frame, end));
  return { at: recordedAt, digest };
}

/** Copies the texts to where they can be read as words, and tells where they end. */
function holdSource(texts: string): number {
  const most = texts.length * 3 + roomBehind;
  if (most > source.bytes.length) source = newSource(most);
  return source.bytes.utf8Write(texts, 0);
}

/** What all frames of a page begin with: their device, and two times whose digits are put in for each. */
interface Head {
  readonly literal: Literal;
  readonly recordedAt: number;
  readonly receivedAt: number;
}

function headOf({ id, imei }: Pick<DeviceIdentity, "id" | "imei">): Head {
  const noTime = "0000-00-00T00:00:00.000Z";
  const beforeRecorded = `{"device_id":"${id}","imei":"${imei}","recorded_at":"`;
  const beforeReceived = `${beforeRecorded}${noTime}","received_at":"`;
  const literal = new Literal(`${beforeReceived}${noTime}"`);
  return { literal, recordedAt: beforeRecorded.length, receivedAt: beforeReceived.length };
}

function writeTimes(view: DataView, at: number, head: Head, from: DataView, start: number, hasDates: boolean): void {
  writeLiteral(view, at, head.literal);
  writeDateDigits(view, at + head.recordedAt, from, start);
  writeTimeDigits(view, at + head.recordedAt, from, start + packed.date);
  const receipt = start + instantLength;
  writeDateDigits(view, at + head.receivedAt, from, hasDates ? receipt : start);
  writeTimeDigits(view, at + head.receivedAt, from, hasDates ? receipt + packed.date : receipt);
}

/** `YYYYMMDD` into `YYYY-MM-DDT…` */
function writeDateDigits(view: DataView, at: number, from: DataView, start: number): void {
  view.setInt32(at, from.getInt32(start));
  view.setInt16(at + 5, from.getInt16(start + 4));
  view.setInt16(at + 8, from.getInt16(start + 6));
}

/** `hhmmssmmm` into `…Thh:mm:ss.mmmZ` */
function writeTimeDigits(view: DataView, at: number, from: DataView, start: number): void {
  view.setInt16(at + 11, from.getInt16(start));
  view.setInt16(at + 14, from.getInt16(start + 2));
  view.setInt16(at + 17, from.getInt16(start + 4));
  view.setInt16(at + 20, from.getInt16(start + 6));
  view.setUint8(at + 22, from.getUint8(start + 8));
}

/** The end of a record, with its brace. */
function verdictLiteral({ valid, reject_reason, discontinuity }: FrameVerdict): Literal {
  const verdict = { valid: Boolean(valid), reject_reason, discontinuity: Boolean(discontinuity) };
  return new Literal(`,${JSON.stringify(verdict).slice(1)}`);
}

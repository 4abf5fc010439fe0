import { type Digits, writeDecimal } from "./decimal.ts";
import { writeDate, writeInstant } from "./instant.ts";
import { Literal, writeLiteral } from "./literal.ts";

const encoder = new TextEncoder();

/** What a record takes beside its texts: its keys, its numbers and times. The longest has less than half of it. */
const roomForRecord = 4096;

/** Enough for a page of the default size. */
const firstCapacity = 1 << 18;
/** A page larger than this is rare; its buffer goes with it instead of being kept for ever. */
const largestKept = 1 << 22;

/** Up to this length a loop over the characters beats the native encoder. */
const shortText = 64;

const nothing = new Literal("null");
const yes = new Literal("true");
const no = new Literal("false");
const deviceIdKey = new Literal('"device_id":');
const imeiKey = new Literal(',"imei":');

/** Writes one record. It leaves out what stands before and after: the envelope's affair. */
export type WriteRecord<Row> = (json: JsonWriter, row: Row) => void;

/**
 * JSON as UTF-8, written into one buffer that is used over and over. Joining strings instead costs three times as much:
 * the engine keeps the parts apart until the text is sent, and then has to visit thousands of them.
 */
export class JsonWriter {
  #bytes = new Uint8Array(firstCapacity);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** Where the device of the record before was written, for the next one is most often of the same. */
  #deviceId = "";
  #imei = "";
  #deviceStart = 0;
  #deviceEnd = 0;

  /** Begins a new text. Whatever was not taken is forgotten. */
  start(): void {
    this.#at = 0;
    this.#deviceId = "";
  }

  /** What was written since the start, as bytes of its own. */
  take(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length <= largestKept) return this.#bytes.slice(0, this.#at);
    const taken = this.#bytes.subarray(0, this.#at);
    this.#hold(new Uint8Array(firstCapacity));
    return taken;
  }

  /** The same as text. */
  takeText(): string {
    return Buffer.from(this.#bytes.buffer, 0, this.#at).toString();
  }

  record<Row>(write: WriteRecord<Row>, row: Row): void {
    this.#reserve(0);
    write(this, row);
  }

  literal(literal: Literal): void {
    this.#at = writeLiteral(this.#view, this.#at, literal);
  }

  decimal(value: number | null, digits: Digits): void {
    if (value === null) this.literal(nothing);
    else this.#at = writeDecimal(this.#view, this.#at, value, digits);
  }

  /** A number as it is. JSON has no infinity: that is null, as for `JSON.stringify`. */
  number(value: number | null): void {
    this.json(value === null || !Number.isFinite(value) ? "null" : String(value));
  }

  /** SQLite has 0 and 1 for it. */
  boolean(value: number | boolean | null): void {
    this.literal(value === null ? nothing : value === true || value === 1 ? yes : no);
  }

  instant(ms: number | null): void {
    if (ms === null) {
      this.literal(nothing);
      return;
    }
    this.#view.setUint8(this.#at, 34);
    const end = writeInstant(this.#view, this.#at + 1, ms);
    this.#view.setUint8(end, 34);
    this.#at = end + 1;
  }

  /** The date of a day since 1970. */
  date(day: number): void {
    this.#view.setUint8(this.#at, 34);
    const end = writeDate(this.#view, this.#at + 1, day);
    this.#view.setUint8(end, 34);
    this.#at = end + 1;
  }

  text(text: string | null): void {
    if (text === null) {
      this.literal(nothing);
      return;
    }
    const start = this.#at;
    this.#view.setUint8(start, 34);
    const end = this.#writeShort(text, start + 1, true);
    if (end < 0) {
      this.json(JSON.stringify(text));
      return;
    }
    this.#view.setUint8(end, 34);
    this.#at = end + 1;
  }

  /** Text that is JSON already. */
  json(json: string): void {
    const end = this.#writeShort(json, this.#at, false);
    if (end >= 0) {
      this.#at = end;
      return;
    }
    this.#reserve(json.length * 3);
    this.#at += encoder.encodeInto(json, this.#bytes.subarray(this.#at)).written;
  }

  /** `"device_id":"…","imei":"…"` */
  device(id: string, imei: string): void {
    const start = this.#at;
    if (id === this.#deviceId && imei === this.#imei) {
      this.#bytes.copyWithin(start, this.#deviceStart, this.#deviceEnd);
      this.#at = start + this.#deviceEnd - this.#deviceStart;
      return;
    }
    this.literal(deviceIdKey);
    this.text(id);
    this.literal(imeiKey);
    this.text(imei);
    this.#deviceId = id;
    this.#imei = imei;
    this.#deviceStart = start;
    this.#deviceEnd = this.#at;
  }

  /** The place behind a short text without anything to escape, or -1 where it is not such a text. */
  #writeShort(text: string, at: number, escapes: boolean): number {
    if (text.length > shortText) return -1;
    const view = this.#view;
    let end = at;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code < 0x80) {
        if (escapes && (code < 0x20 || code === 34 || code === 92)) return -1;
        view.setUint8(end++, code);
      } else if (code < 0x800) {
        view.setUint8(end, 0xc0 | (code >> 6));
        view.setUint8(end + 1, 0x80 | (code & 0x3f));
        end += 2;
      } else return -1;
    }
    return end;
  }

  /** Makes room for so many bytes and for the rest of a record. */
  #reserve(bytes: number): void {
    const needed = this.#at + bytes + roomForRecord;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#hold(larger);
  }

  #hold(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

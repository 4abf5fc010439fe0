import { type Digits, writeDecimal, writeThousandths } from "./decimal.ts";
import { writeDate, writeInstant } from "./instant.ts";
import { Literal, writeLiteral } from "./literal.ts";
import { type Utf8Buffer, utf8Buffer } from "./utf8-buffer.ts";

/** What a record takes without its long texts. The largest, a device with everything, has less than 3 KiB. */
const roomForRecord = 4096;

/** Of that, what the keys of an array's values take at most. */
const roomForKeys = 512;

/** Enough for a page of the default size. */
const firstCapacity = 1 << 18;
/** A page larger than this is rare; its buffer goes with it instead of being kept for ever. */
const largestKept = 1 << 22;

/** Texts up to this length are part of the room for a record. */
const shortText = 64;

/** What JSON escapes, and halves of a surrogate pair, of which it escapes those that stand alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
const mayNeedEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

const quote = 34;
const comma = 44;

const nothing = new Literal("null");
const yes = new Literal("true");
const no = new Literal("false");
const deviceIdKey = new Literal('"device_id":');
const imeiKey = new Literal(',"imei":');

/** Writes one record. It leaves out what stands before and after: the envelope's affair. */
export type WriteRecord<Row> = (json: JsonWriter, row: Row) => void;

/**
 * JSON as UTF-8, written into one buffer that is used over and over. Joining strings instead costs more than
 * twice as much: the engine keeps the parts apart until the text is sent, and then has to visit thousands of them.
 */
export class JsonWriter {
  #bytes = utf8Buffer(firstCapacity);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** Where the next byte goes. Whoever writes into the buffer itself, having reserved room, moves it on. */
  get at(): number {
    return this.#at;
  }

  set at(at: number) {
    this.#at = at;
  }

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

  /** What was written since the start, in the writer's own buffer: to be used up before the next start. */
  written(): Uint8Array<ArrayBuffer> {
    const written = new Uint8Array(this.#bytes.buffer, 0, this.#at);
    if (this.#bytes.length > largestKept) this.#hold(utf8Buffer(firstCapacity));
    return written;
  }

  /** The same as text. */
  takeText(): string {
    return this.#bytes.toString("utf8", 0, this.#at);
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
    else if (digits === 3) this.#at = writeThousandths(this.#view, this.#at, value);
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
    this.#view.setUint8(this.#at, quote);
    const end = writeInstant(this.#view, this.#at + 1, ms);
    this.#view.setUint8(end, quote);
    this.#at = end + 1;
  }

  /** The date of a day since 1970. */
  date(day: number): void {
    this.#view.setUint8(this.#at, quote);
    const end = writeDate(this.#view, this.#at + 1, day);
    this.#view.setUint8(end, quote);
    this.#at = end + 1;
  }

  text(text: string | null): void {
    if (text === null) this.literal(nothing);
    else if (mayNeedEscape.test(text)) this.json(JSON.stringify(text));
    else this.#quoted(text);
  }

  /** Text that has nothing to escape: an id, a word of ours. */
  plain(text: string | null): void {
    if (text === null) this.literal(nothing);
    else this.#quoted(text);
  }

  /** Text that is JSON already. */
  json(json: string): void {
    if (json.length > shortText) this.#reserve(json.length * 3);
    this.#at += this.#bytes.utf8Write(json, this.#at);
  }

  /**
   * The values of a JSON array, each behind its key. The last may be any text; the others hold no comma. The array is
   * written ahead of its place, and its values are moved back from there, which is faster than looking at characters.
   */
  values(valueKeys: readonly Literal[], array: string): void {
    this.#reserve(array.length * 3);
    const view = this.#view;
    let at = this.#at;
    let from = at + roomForKeys;
    const bracket = from + this.#bytes.utf8Write(array, from++) - 1;
    for (let index = 0; index < valueKeys.length; index++) {
      at = writeLiteral(view, at, valueKeys[index] as Literal);
      let end = index === valueKeys.length - 1 ? bracket : from;
      while (end < bracket && view.getUint8(end) !== comma) end++;
      for (; from < end; from += 4, at += 4) view.setInt32(at, view.getInt32(from));
      at += end - from;
      from = end + 1;
    }
    this.#at = at;
  }

  #quoted(text: string): void {
    if (text.length > shortText) this.#reserve(text.length * 3);
    const start = this.#at;
    this.#view.setUint8(start, quote);
    const end = start + 1 + this.#bytes.utf8Write(text, start + 1);
    this.#view.setUint8(end, quote);
    this.#at = end + 1;
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
    this.plain(id);
    this.literal(imeiKey);
    this.plain(imei);
    this.#deviceId = id;
    this.#imei = imei;
    this.#deviceStart = start;
    this.#deviceEnd = this.#at;
  }

  /** The buffer itself, with room for so many bytes. */
  reserved(bytes: number): DataView {
    this.#reserve(bytes);
    return this.#view;
  }

  /** Makes room for so many bytes and for the rest of a record. */
  #reserve(bytes: number): void {
    const needed = this.#at + bytes + roomForRecord;
    if (needed <= this.#bytes.length) return;
    const larger = utf8Buffer(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#hold(larger);
  }

  #hold(bytes: Utf8Buffer): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

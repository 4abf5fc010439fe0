import { writeDecimal } from "../../store/blocks/decimal-text.ts";
import { type Utf8Buffer, utf8Buffer } from "./utf8-buffer.ts";

/** Enough for a page of the default size. */
const firstCapacity = 1 << 18;
/** A larger page is rare; its buffer is dropped instead of reused. */
const maxReusedCapacity = 1 << 22;
/** More than any number or time. */
const roomForValue = 64;

const encoder = new TextEncoder();
const comma = 44;
const dayMs = 86_400_000;

/** A text whose UTF-8 is known beforehand. */
export function literal(text: string): Uint8Array {
  return encoder.encode(text);
}

/**
 * JSON as UTF-8, written into one reused buffer. Only live positions and history need it: the values that a tracker
 * reported are written between their keys, without an object or a text for each.
 */
export class JsonWriter {
  #bytes = utf8Buffer(firstCapacity);
  #at = 0;
  #day = Number.NaN;
  #date = literal("");

  /** Begins a new body. */
  start(): void {
    this.#at = 0;
  }

  /** Everything since the start, in the writer's own buffer: use it before the next start. */
  written(): Uint8Array<ArrayBuffer> {
    const written = new Uint8Array(this.#bytes.buffer, 0, this.#at);
    if (this.#bytes.length > maxReusedCapacity) this.#bytes = utf8Buffer(firstCapacity);
    return written;
  }

  json(text: string): void {
    this.#reserve(text.length * 3);
    this.#at += this.#bytes.utf8Write(text, this.#at);
  }

  /** A loop over a few bytes takes less time than a call of `set`. */
  literal(text: Uint8Array): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    const start = this.#at;
    for (let index = 0; index < text.length; index++) bytes[start + index] = text[index] as number;
    this.#at = start + text.length;
  }

  /** The number `scaled / 10 ** decimals`. */
  decimal(scaled: number, decimals: number): void {
    this.#reserve(roomForValue);
    this.#at = writeDecimal(this.#bytes, this.#at, scaled, decimals);
  }

  /** A time without quotes and `Z`: `2026-05-26T12:00:00.000`. Most are of the same day as the one before. */
  instant(ms: number): void {
    const day = Math.floor(ms / dayMs);
    if (day !== this.#day) {
      this.#day = day;
      this.#date = literal(new Date(day * dayMs).toISOString().slice(0, -"00:00:00.000Z".length));
    }
    this.literal(this.#date);
    this.#reserve(roomForValue);
    writeTime(this.#bytes, this.#at, Math.floor(ms - day * dayMs));
    this.#at += "00:00:00.000".length;
  }

  /** The values of a JSON array, each after its key. The last may be any text; the others contain no comma. */
  values(keys: readonly Uint8Array[], array: string): void {
    const length = array.length * 3;
    this.#reserve(length);
    // Written ahead of its place, behind all keys.
    let room = length;
    for (const key of keys) room += key.length;
    this.#reserve(room + length);
    const bytes = this.#bytes;
    let from = this.#at + room;
    const end = from + bytes.utf8Write(array, from++) - 1;
    for (let index = 0; index < keys.length; index++) {
      this.literal(keys[index] as Uint8Array);
      const isLast = index === keys.length - 1;
      let at = this.#at;
      for (; from < end && (isLast || bytes[from] !== comma); from++) bytes[at++] = bytes[from] as number;
      from++;
      this.#at = at;
    }
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#bytes.length) return;
    const larger: Utf8Buffer = utf8Buffer(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

const zero = 48;
const colon = 58;
const point = 46;

/** `12:00:00.000` of the milliseconds of a day. */
function writeTime(bytes: Uint8Array, at: number, ms: number): void {
  const seconds = (ms / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const hours = (minutes / 60) | 0;
  const millis = ms - seconds * 1000;
  writePair(bytes, at, hours);
  bytes[at + 2] = colon;
  writePair(bytes, at + 3, minutes - hours * 60);
  bytes[at + 5] = colon;
  writePair(bytes, at + 6, seconds - minutes * 60);
  bytes[at + 8] = point;
  const tens = (millis / 10) | 0;
  writePair(bytes, at + 9, tens);
  bytes[at + 11] = zero + millis - tens * 10;
}

function writePair(bytes: Uint8Array, at: number, value: number): void {
  const tens = (value / 10) | 0;
  bytes[at] = zero + tens;
  bytes[at + 1] = zero + value - tens * 10;
}

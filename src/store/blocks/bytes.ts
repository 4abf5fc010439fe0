import { BoundedMap } from "../../domain/bounded-map.ts";

/** Numbers up to this are written; each needs twice as much room, since its sign is in its last bit. */
export const maxWritten = 2 ** 50;

const firstCapacity = 1 << 15;

const letterN = 110;

export class ByteWriter {
  #bytes = Buffer.allocUnsafe(firstCapacity);
  #at = 0;

  /** Begins anew, in the same memory. */
  start(): void {
    this.#at = 0;
  }

  /** In the writer's own memory: use it before the next start. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  /** A whole number from 0 on: seven bits in each byte, the eighth says that another follows. */
  number(value: number): void {
    this.#reserve(8);
    let rest = value;
    for (; rest >= 0x8000_0000; rest = Math.floor(rest / 0x80)) this.#bytes[this.#at++] = (rest % 0x80) | 0x80;
    for (; rest >= 0x80; rest >>>= 7) this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#at++] = rest;
  }

  /** Scaled to whole numbers, each as the difference to the one before, doubled, with the sign in the last bit; null is 0. */
  deltas(values: readonly (number | null)[], scale = 1): void {
    let last = 0;
    for (const value of values) {
      if (value === null) {
        this.number(0);
        continue;
      }
      const whole = Math.round(value * scale);
      const delta = whole - last;
      this.number(delta < 0 ? -2 * delta : 2 * delta + 1);
      last = whole;
    }
  }

  text(text: string): void {
    const length = Buffer.byteLength(text);
    this.number(length);
    this.#reserve(length);
    this.#at += this.#bytes.write(text, this.#at, "utf8");
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#at + count, this.#bytes.length * 2));
    larger.set(this.written());
    this.#bytes = larger;
  }
}

export class BlockReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  number(): number {
    let byte = this.byte();
    let value = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = this.byte();
      value += (byte & 0x7f) * scale;
    }
    return value;
  }

  /** What `deltas` wrote; NaN is null. Almost every number fits into 32 bits, and is read four times as fast as others. */
  deltas(count: number): Float64Array {
    const all = new Float64Array(count);
    const bytes = this.#bytes;
    let at = this.#at;
    let last = 0;
    for (let index = 0; index < count; index++) {
      let byte = bytes[at++] as number;
      let code = byte & 0x7f;
      for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
        byte = bytes[at++] as number;
        code |= (byte & 0x7f) << shift;
      }
      let half = code >>> 1;
      for (let scale = 2 ** 27; byte >= 0x80; scale *= 0x80) {
        byte = bytes[at++] as number;
        half += (byte & 0x7f) * scale;
      }
      last += (code & 1) === 0 ? -half : half;
      all[index] = code === 0 && half === 0 ? Number.NaN : last;
    }
    this.#at = at;
    return all;
  }

  /** What `text` wrote of JSON. Most is null, and need not be decoded. */
  json(): string {
    const length = this.number();
    const start = this.#at;
    this.#at += length;
    if (length === 4 && this.#bytes[start] === letterN) return "null";
    if (length > maxShortBytes) return this.#bytes.toString("utf8", start, this.#at);
    let key = length;
    for (let at = start; at < this.#at; at++) key = key * 0x100 + (this.#bytes[at] as number);
    return shortTexts.getOrMake(key, () => this.#bytes.toString("utf8", start, this.#at));
  }
}

/** With their length before them, they are a whole number of less than 53 bits. */
const maxShortBytes = 6;
/** By their bytes. Most blocks have the same few, and finding one takes a fraction of the time of decoding it. */
const shortTexts = new BoundedMap<number, string>({ max: 10_000 });

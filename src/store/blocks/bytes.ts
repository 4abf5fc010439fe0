/** Numbers up to this are written; each needs twice as much room, since its sign is in its last bit. */
export const maxWritten = 2 ** 50;

const firstCapacity = 1 << 15;

/** Bytes that are written one after the other. */
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

/** Reads what `ByteWriter` wrote. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  number(): number {
    const one = new Float64Array(1);
    this.numbers(one);
    return one[0] as number;
  }

  /** Fills the array with numbers. */
  numbers(all: Float64Array): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let index = 0; index < all.length; index++) {
      let byte = bytes[at++] as number;
      let value = byte & 0x7f;
      for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
        byte = bytes[at++] as number;
        value += (byte & 0x7f) * scale;
      }
      all[index] = value;
    }
    this.#at = at;
  }

  text(): string {
    const length = this.number();
    const start = this.#at;
    this.#at += length;
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, length).toString("utf8");
  }
}

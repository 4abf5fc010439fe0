/** Reading and writing what binary protocols have in common. Numbers are big-endian, as on nearly every wire, unless named `le`. */

/** Reads a message from front to back. Past the end it gives 0 or fewer bytes and remembers it, so that a decoder checks once. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly end: number;
  at: number;
  /** Whether more was read than is there: what was read then means nothing. */
  isShort = false;

  constructor(bytes: Uint8Array, from = 0, end = bytes.length) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = from;
    this.end = Math.min(end, bytes.length);
  }

  get left(): number {
    return this.end - this.at;
  }

  u8(): number {
    return this.#has(1) ? this.#view.getUint8(this.at++) : 0;
  }

  u16(): number {
    return this.#has(2) ? this.#view.getUint16(this.#step(2)) : 0;
  }

  i16(): number {
    return this.#has(2) ? this.#view.getInt16(this.#step(2)) : 0;
  }

  u24(): number {
    return this.u8() * 65536 + this.u16();
  }

  u32(): number {
    return this.#has(4) ? this.#view.getUint32(this.#step(4)) : 0;
  }

  i32(): number {
    return this.#has(4) ? this.#view.getInt32(this.#step(4)) : 0;
  }

  u16le(): number {
    return this.#has(2) ? this.#view.getUint16(this.#step(2), true) : 0;
  }

  i16le(): number {
    return this.#has(2) ? this.#view.getInt16(this.#step(2), true) : 0;
  }

  u32le(): number {
    return this.#has(4) ? this.#view.getUint32(this.#step(4), true) : 0;
  }

  i32le(): number {
    return this.#has(4) ? this.#view.getInt32(this.#step(4), true) : 0;
  }

  /** Null for what is no number. */
  f32le(): number | null {
    const value = this.#has(4) ? this.#view.getFloat32(this.#step(4), true) : Number.NaN;
    return Number.isFinite(value) ? value : null;
  }

  /** Beyond 2^53 it is rounded: no number that we read is that large. */
  u64(): number {
    return this.u32() * 2 ** 32 + this.u32();
  }

  /** A view, not a copy. */
  take(length: number): Uint8Array {
    if (!this.#has(length)) return this.bytes.subarray(this.end, this.end);
    const from = this.#step(length);
    return this.bytes.subarray(from, this.at);
  }

  /** Skips what has no field of ours. Its name is added to `unread`, unless it is all zeros. */
  pass(length: number, name: string, unread: string[]): void {
    if (this.take(length).some((byte) => byte !== 0) && !unread.includes(name)) unread.push(name);
  }

  skip(length: number): void {
    if (this.#has(length)) this.at += length;
  }

  #has(length: number): boolean {
    if (this.at + length <= this.end) return true;
    this.isShort = true;
    this.at = this.end;
    return false;
  }

  #step(length: number): number {
    const { at } = this;
    this.at += length;
    return at;
  }
}

/** Two bytes as a number; what has not come counts as 0. */
export function u16At(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
}

/** The number of two decimal digits in a byte, or NaN. */
export function bcd(byte: number): number {
  const ones = byte & 15;
  return byte < 0xa0 && ones < 10 ? (byte >> 4) * 10 + ones : Number.NaN;
}

/** The number of so many decimal digits, two in a byte; null: they are none. */
export function bcdNumber(bytes: Uint8Array): number | null {
  let number = 0;
  for (const byte of bytes) number = number * 100 + bcd(byte);
  return Number.isNaN(number) ? null : number;
}

/** Latin-1, so that every byte is one character. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "latin1"));
}

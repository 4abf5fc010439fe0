import { type Literal, writeLiteral } from "./literal.ts";
import { type Utf8Buffer, utf8Buffer } from "./utf8-buffer.ts";

/** More than the keys of an array's values need. */
const roomForKeys = 512;

/** Enough for a page of the default size. */
const firstCapacity = 1 << 18;
/** A larger page is rare; its buffer is dropped instead of reused. */
const maxReusedCapacity = 1 << 22;

const comma = 44;

/**
 * JSON as UTF-8, written into one reused buffer. Only live positions and history need it: the values that a tracker
 * reported are copied between their keys, without an object or a text for each.
 */
export class JsonWriter {
  #bytes = utf8Buffer(firstCapacity);
  #view = new DataView(this.#bytes.buffer);
  /** Where the next byte goes. Code that writes into the reserved buffer directly must advance it. */
  at = 0;

  /** Begins a new body. */
  start(): void {
    this.at = 0;
  }

  /** Everything since the start, in the writer's own buffer: use it before the next start. */
  written(): Uint8Array<ArrayBuffer> {
    const written = new Uint8Array(this.#bytes.buffer, 0, this.at);
    if (this.#bytes.length > maxReusedCapacity) this.#use(utf8Buffer(firstCapacity));
    return written;
  }

  json(text: string): void {
    this.#reserve(text.length * 3);
    this.at += this.#bytes.utf8Write(text, this.at);
  }

  /**
   * The values of a JSON array, each after its key. The last may be any text; the others contain no comma. The array is
   * written ahead of its place and its values moved back: faster than checking characters.
   */
  values(keys: readonly Literal[], array: string): void {
    this.#reserve(array.length * 3 + 2 * roomForKeys);
    const view = this.#view;
    let at = this.at;
    let from = at + roomForKeys;
    const bracket = from + this.#bytes.utf8Write(array, from++) - 1;
    for (let index = 0; index < keys.length; index++) {
      at = writeLiteral(view, at, keys[index] as Literal);
      let end = index === keys.length - 1 ? bracket : from;
      while (end < bracket && view.getUint8(end) !== comma) end++;
      for (; from < end; from += 4, at += 4) view.setInt32(at, view.getInt32(from));
      at += end - from;
      from = end + 1;
    }
    this.at = at;
  }

  /** The buffer itself, with room for so many bytes. */
  reserved(bytes: number): DataView {
    this.#reserve(bytes);
    return this.#view;
  }

  #reserve(bytes: number): void {
    const needed = this.at + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = utf8Buffer(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.at));
    this.#use(larger);
  }

  #use(bytes: Utf8Buffer): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/** Enough for a page of the default size. */
const firstCapacity = 1 << 18;
/** A larger page is rare; its buffer is dropped instead of reused. */
const maxReusedCapacity = 1 << 22;

/** Literals are written as words, and the last may reach beyond its text. */
const roomAfter = 8;
const comma = 44;

export interface JsonTarget {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** JSON as UTF-8 in one reused buffer, for live positions and history: no object and no text for each value. */
export class JsonWriter {
  #target = newTarget(firstCapacity);
  /** Where the next byte goes. Code that writes into the reserved buffer directly must advance it. */
  at = 0;

  start(): void {
    this.at = 0;
  }

  /** Everything since the start, in the writer's own buffer: use it before the next start. */
  written(): Uint8Array<ArrayBuffer> {
    const { bytes } = this.#target;
    const written = new Uint8Array(bytes.buffer, 0, this.at);
    if (bytes.length > maxReusedCapacity) this.#target = newTarget(firstCapacity);
    return written;
  }

  json(text: string): void {
    this.reserved(text.length * 3);
    this.at += this.#target.bytes.utf8Write(text, this.at);
  }

  /**
   * The values of a JSON array, each after its key. The last may be any text; the others contain no comma. The array is
   * written ahead of its place, behind all that may come before it.
   */
  values(keys: readonly Literal[], array: string): void {
    let room = array.length * 3;
    for (const key of keys) room += key.length;
    const { bytes, view } = this.reserved(room + array.length * 3);
    let at = this.at;
    let from = at + room;
    const end = from + this.#target.bytes.utf8Write(array, from++) - 1;
    for (let index = 0; index < keys.length; index++) {
      at = writeLiteral(view, at, keys[index] as Literal);
      const isLast = index === keys.length - 1;
      for (; from < end && (isLast || bytes[from] !== comma); from++) bytes[at++] = bytes[from] as number;
      from++;
    }
    this.at = at;
  }

  /** The buffer itself, with room for so many bytes. */
  reserved(count: number): JsonTarget {
    const { bytes } = this.#target;
    const needed = this.at + count + roomAfter;
    if (needed > bytes.length) {
      this.#target = newTarget(Math.max(needed, bytes.length * 2));
      this.#target.bytes.set(bytes.subarray(0, this.at));
    }
    return this.#target;
  }
}

function newTarget(capacity: number): JsonTarget & { readonly bytes: Utf8Buffer } {
  const bytes = utf8Buffer(capacity);
  return { bytes, view: new DataView(bytes.buffer) };
}

/** `write` calls `utf8Write` after checking its arguments, which doubles the time. It is not documented, so it may vanish. */
type Utf8Buffer = Buffer<ArrayBuffer> & { utf8Write(text: string, at: number): number };

/** A buffer with its own memory, so that a view of it begins at offset 0. */
function utf8Buffer(bytes: number): Utf8Buffer {
  const buffer = Buffer.from(new ArrayBuffer(bytes)) as Utf8Buffer;
  buffer.utf8Write ??= (text, at) => buffer.write(text, at, "utf8");
  return buffer;
}

const encoder = new TextEncoder();

const wordBytes = 8;

/**
 * A text whose UTF-8 is known beforehand, cut into words of eight bytes: copying it costs one store for each. A word is
 * read as a double because that is the widest thing JavaScript stores without an object. No bits are lost: a double
 * that could change on the way is NaN, and NaN begins with the byte 7f or ff, which are a control character and no
 * UTF-8 at all.
 */
export class Literal {
  readonly words: Float64Array;
  /** In bytes; the last word may reach beyond it. */
  readonly length: number;

  constructor(text: string) {
    const bytes = encoder.encode(text);
    const padded = new Uint8Array(Math.ceil(bytes.length / wordBytes) * wordBytes);
    padded.set(bytes);
    // Every machine that Bun runs on has the lowest byte first.
    this.words = new Float64Array(padded.buffer);
    this.length = bytes.length;
  }
}

/** Writes a literal at a place and returns the place after it. Up to seven bytes after that are overwritten. */
export function writeLiteral(view: DataView, at: number, literal: Literal): number {
  const words = literal.words;
  let place = at;
  for (let index = 0; index < words.length; index++) {
    view.setFloat64(place, words[index] as number, true);
    place = (place + wordBytes) | 0;
  }
  return (at + literal.length) | 0;
}

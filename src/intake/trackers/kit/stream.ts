import type { TrackerFamily } from "./family.ts";
import { Seen } from "./seen.ts";

type Framing = Pick<TrackerFamily, "cut" | "maxMessageBytes" | "lineEnd">;

/** What was taken from the front of a stream. */
interface Taken {
  /** A view; null: it was noise. */
  readonly message: Uint8Array | null;
  readonly length: number;
}

/** So that a framer sees what follows the longest message. More it is not given, so that it does not search more at once. */
const lookAheadBytes = 64;

const nothing = new Uint8Array(0);

/**
 * Cuts what comes over a connection into messages, whatever the pieces it comes in. Between messages it holds what was added and not
 * yet taken; of that, no more than one message is unfinished.
 */
export class MessageStream {
  readonly #family: Framing;
  /** What has come is between `#from` and `#to`. What was taken before is never written over: views of it are in use. */
  #buffer: Uint8Array = nothing;
  #from = 0;
  #to = 0;
  #seen = new Seen();
  #hasLineEnd = false;
  /** Bytes that belonged to no message, since the beginning. */
  noiseBytes = 0;

  constructor(family: Framing) {
    this.#family = family;
  }

  get heldBytes(): number {
    return this.#to - this.#from;
  }

  add(bytes: Uint8Array): void {
    if (this.#to + bytes.length > this.#buffer.length) {
      // Room for as much again, so that many small pieces are not copied with each of them.
      const held = this.#buffer.subarray(this.#from, this.#to);
      this.#buffer = new Uint8Array(held.length === 0 ? bytes.length : 2 * (held.length + bytes.length));
      this.#buffer.set(held);
      this.#from = 0;
      this.#to = held.length;
    }
    // A copy in any case: the socket may use its buffer again.
    this.#buffer.set(bytes, this.#to);
    this.#to += bytes.length;
  }

  /** The next whole message, or some of the noise before it; null: neither is there. The work is that of one message at most. */
  take(): Taken | null {
    if (this.#from === this.#to) return null;
    const { maxMessageBytes } = this.#family;
    const front = this.#buffer.subarray(this.#from, Math.min(this.#to, this.#from + maxMessageBytes + lookAheadBytes));
    const cut = this.#family.cut(front, this.#seen);
    // A framer that still waits at the limit would let one peer fill the memory.
    if (cut.kind === "incomplete" && front.length < maxMessageBytes) return null;
    const length = cut.kind === "incomplete" ? 1 : Math.min(Math.max(cut.length, 1), front.length);
    const message = cut.kind === "message" ? front.subarray(0, length) : null;
    if (message === null) this.noiseBytes += length;
    this.#from += length;
    this.#seen.offset += length;
    if (this.#from === this.#to) this.#forget();
    return { message, length };
  }

  /**
   * As `take`, where nothing more will come, as behind a datagram: a message whose end mark was left out. It gets the end mark, or
   * is taken as it is if the protocol has none.
   */
  takeLast(): Taken | null {
    if (this.#addLineEnd()) return this.take() ?? this.takeLast();
    return this.heldBytes === 0 ? null : { length: this.heldBytes, message: this.takeRest() };
  }

  /** Once, and only if something is left that may want it. */
  #addLineEnd(): boolean {
    const { lineEnd } = this.#family;
    if (lineEnd === undefined || this.#hasLineEnd || this.heldBytes === 0) return false;
    this.#hasLineEnd = true;
    this.add(lineEnd);
    return true;
  }

  takeRest(): Uint8Array {
    const rest = this.#buffer.subarray(this.#from, this.#to);
    this.#forget();
    return rest;
  }

  /** All messages that are whole after these bytes. */
  *push(bytes: Uint8Array): Generator<Uint8Array> {
    this.add(bytes);
    for (let taken = this.take(); taken !== null; taken = this.take()) if (taken.message !== null) yield taken.message;
  }

  /** All messages of a datagram. It ends where its last message does, even if nothing says so. */
  *pushDatagram(bytes: Uint8Array): Generator<Uint8Array> {
    yield* this.push(bytes);
    if (this.#addLineEnd()) yield* this.push(nothing);
  }

  /** Thousands of connections are silent most of the time: they hold nothing. */
  #forget(): void {
    this.#buffer = nothing;
    this.#from = 0;
    this.#to = 0;
    this.#seen = new Seen();
  }
}

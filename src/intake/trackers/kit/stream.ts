import type { TrackerFamily } from "./family.ts";

const nothing = new Uint8Array(0);

/**
 * Cuts what comes over a connection into messages, whatever the pieces it comes in. It holds no more than one unfinished message.
 */
export class MessageStream {
  readonly #family: Pick<TrackerFamily, "cut" | "maxMessageBytes">;
  #rest: Uint8Array = nothing;
  /** Bytes that belonged to no message, since the beginning. */
  noiseBytes = 0;

  constructor(family: Pick<TrackerFamily, "cut" | "maxMessageBytes">) {
    this.#family = family;
  }

  get heldBytes(): number {
    return this.#rest.length;
  }

  /** What is left where nothing more will come, as behind a datagram: a message whose end mark was left out. */
  takeRest(): Uint8Array {
    const rest = this.#rest;
    this.#rest = nothing;
    return rest;
  }

  /** The messages that are whole now. They are views of the bytes: copy what must outlive them. */
  *push(bytes: Uint8Array): Generator<Uint8Array> {
    let rest = this.#rest.length === 0 ? bytes : joined(this.#rest, bytes);
    while (rest.length > 0) {
      const cut = this.#family.cut(rest);
      // A framer that still waits at the limit would let one peer fill the memory.
      const isStuck = cut.kind === "incomplete" && rest.length >= this.#family.maxMessageBytes;
      if (cut.kind === "incomplete" && !isStuck) break;
      const length = cut.kind === "incomplete" ? 1 : Math.min(Math.max(cut.length, 1), rest.length);
      const piece = rest.subarray(0, length);
      rest = rest.subarray(length);
      // The consumer may stop here: what follows must be held by then.
      this.#rest = rest;
      if (cut.kind === "message") yield piece;
      else this.noiseBytes += length;
    }
    // A copy: the socket uses its buffer again.
    this.#rest = rest.length === 0 ? nothing : rest.slice();
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

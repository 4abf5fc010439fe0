import type { TrackerFamily } from "./family.ts";

const nothing = new Uint8Array(0);

/**
 * Cuts what comes over a connection into messages, whatever the pieces it comes in. Between messages it holds what was added and not
 * yet taken; of that, no more than one message is unfinished.
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

  add(bytes: Uint8Array): void {
    // A copy in any case: the socket may use its buffer again.
    this.#rest = joined(this.#rest, bytes);
  }

  /** The next whole message, as a view; null: nothing more is whole. */
  next(): Uint8Array | null {
    while (this.#rest.length > 0) {
      const rest = this.#rest;
      const cut = this.#family.cut(rest);
      // A framer that still waits at the limit would let one peer fill the memory.
      const isStuck = cut.kind === "incomplete" && rest.length >= this.#family.maxMessageBytes;
      if (cut.kind === "incomplete" && !isStuck) break;
      const length = cut.kind === "incomplete" ? 1 : Math.min(Math.max(cut.length, 1), rest.length);
      this.#rest = rest.subarray(length);
      if (cut.kind === "message") return rest.subarray(0, length);
      this.noiseBytes += length;
    }
    if (this.#rest.length === 0) this.#rest = nothing;
    return null;
  }

  /** What is left where nothing more will come, as behind a datagram: a message whose end mark was left out. */
  takeRest(): Uint8Array {
    const rest = this.#rest;
    this.#rest = nothing;
    return rest;
  }

  /** All messages that are whole after these bytes. */
  *push(bytes: Uint8Array): Generator<Uint8Array> {
    this.add(bytes);
    for (let message = this.next(); message !== null; message = this.next()) yield message;
  }
}

/** A datagram ends where its last message does, even if nothing says so. */
export function withLineEnd(
  family: Pick<TrackerFamily, "cut" | "maxMessageBytes" | "lineEnd">,
  datagram: Uint8Array,
): Uint8Array {
  if (family.lineEnd === undefined) return datagram;
  const stream = new MessageStream(family);
  for (const _ of stream.push(datagram));
  return stream.heldBytes === 0 ? datagram : joined(datagram, family.lineEnd);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

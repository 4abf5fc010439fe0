import { Failure } from "../domain/errors.ts";
import { HttpFailure } from "./failures.ts";

/** When there may be room again: most bodies arrive in a moment. */
const retrySeconds = "5";

/**
 * How many bytes of bodies a process holds at once, so that no number of uploads exhausts its memory.
 *
 * A holder (an account, an address) may have at most as much as is left for everybody: one alone gets half of the budget,
 * two a third each. So there is always room for another one, whatever the others do. One sender of a holder leaves room for
 * one body of another sender of the same: half of what the holder may have, if that is less.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #maxBodyBytes: number;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  /** The size of one body matters if holders have senders. */
  constructor(maxBytes: number, maxBodyBytes = 0) {
    this.#maxBytes = maxBytes;
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** For one request. `release` returns everything it took. Without a sender the holder is not divided. */
  open(holder: string, sender: string | null = null): ByteLease {
    return new ByteLease(this, holder, sender === null ? null : `${holder} ${sender}`);
  }

  heldBy(name: string): number {
    return this.#heldBy.get(name) ?? 0;
  }

  fits(holder: string, sender: string | null, bytes: number): boolean {
    const held = this.heldBy(holder) + bytes;
    if (held > this.#maxBytes - this.#held - bytes) return false;
    const share = (this.#maxBytes - (this.#held - this.heldBy(holder))) / 2;
    return sender === null || this.heldBy(sender) + bytes <= share - Math.min(this.#maxBodyBytes, share / 2);
  }

  add(holder: string, sender: string | null, bytes: number): void {
    this.#held += bytes;
    for (const name of sender === null ? [holder] : [holder, sender]) {
      const held = this.heldBy(name) + bytes;
      if (held > 0) this.#heldBy.set(name, held);
      else this.#heldBy.delete(name);
    }
  }
}

export class ByteLease {
  readonly #budget: ByteBudget;
  readonly #holder: string;
  readonly #sender: string | null;
  #bytes = 0;

  constructor(budget: ByteBudget, holder: string, sender: string | null) {
    this.#budget = budget;
    this.#holder = holder;
    this.#sender = sender;
  }

  /** Throws a `Failure` if there is no room for so many more bytes; takes none. */
  require(bytes: number): void {
    if (this.#budget.fits(this.#holder, this.#sender, bytes)) return;
    const ofOwnUploads = this.#budget.heldBy(this.#sender ?? this.#holder) - this.#bytes;
    throw ofOwnUploads > 0 ? tooManyUploads() : overloaded();
  }

  /** Takes so many more bytes, or throws a `Failure`. */
  take(bytes: number): void {
    this.require(bytes);
    this.#budget.add(this.#holder, this.#sender, bytes);
    this.#bytes += bytes;
  }

  release(): void {
    this.#budget.add(this.#holder, this.#sender, -this.#bytes);
    this.#bytes = 0;
  }
}

function tooManyUploads(): Failure {
  const message = "too many uploads at once; finish the others first, and send it again in a few seconds";
  return new HttpFailure("TOO_MANY_UPLOADS", message, { headers: { "Retry-After": retrySeconds } });
}

function overloaded(): Failure {
  return new Failure("UNAVAILABLE", "others upload too much at once; send it again in a few seconds");
}

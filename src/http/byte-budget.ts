import { Failure } from "../domain/errors.ts";

/**
 * How many bytes of bodies a process holds at once, so that no number of uploads exhausts its memory.
 *
 * A holder (an account, an address) may have at most as much as is left for everybody: one alone gets half of the budget,
 * two a third each. So there is always room for another one, whatever the others do.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** For one request. `release` returns everything it took. */
  open(holder: string): ByteLease {
    return new Lease(this, holder);
  }

  fits(holder: string, bytes: number): boolean {
    return (this.#heldBy.get(holder) ?? 0) + bytes <= this.#maxBytes - this.#held - bytes;
  }

  add(holder: string, bytes: number): void {
    this.#held += bytes;
    const held = (this.#heldBy.get(holder) ?? 0) + bytes;
    if (held > 0) this.#heldBy.set(holder, held);
    else this.#heldBy.delete(holder);
  }
}

class Lease implements ByteLease {
  readonly #budget: ByteBudget;
  readonly #holder: string;
  #bytes = 0;

  constructor(budget: ByteBudget, holder: string) {
    this.#budget = budget;
    this.#holder = holder;
  }

  require(bytes: number): void {
    if (!this.#budget.fits(this.#holder, bytes)) throw overloaded();
  }

  take(bytes: number): void {
    this.require(bytes);
    this.#budget.add(this.#holder, bytes);
    this.#bytes += bytes;
  }

  release(): void {
    this.#budget.add(this.#holder, -this.#bytes);
    this.#bytes = 0;
  }
}

export interface ByteLease {
  /** Throws a `Failure` if there is no room for so many more bytes; takes none. */
  require(bytes: number): void;
  /** Takes so many more bytes, or throws a `Failure`. */
  take(bytes: number): void;
  /** Returns everything. */
  release(): void;
}

function overloaded(): Failure {
  return new Failure("UNAVAILABLE", "too many uploads at once; send it again in a few seconds");
}

import { limits } from "../limits.ts";

/** What all connections together hold: counted now and then, since counting takes as long as there are many. */
export class HeldBytes {
  readonly #countAll: () => number;
  /** More than is true until it is counted again, never less. */
  #most = 0;

  constructor(countAll: () => number) {
    this.#countAll = countAll;
  }

  add(bytes: number): void {
    this.#most += bytes;
  }

  count(): void {
    this.#most = this.#countAll();
  }

  /** Until it is counted again, this may be said too early: then some wait a moment longer. */
  get isMuch(): boolean {
    return this.#most > limits.slowBytes;
  }

  get isTooMuch(): boolean {
    if (this.#most > limits.heldBytes) this.count();
    return this.#most > limits.heldBytes;
  }
}

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Shares the event loop among all connections. In one turn of it, so many bytes are looked at and no more, from whatever connections
 * they come; who finds them used up waits its turn, in the order of asking. So everything else goes on between: sockets, timers,
 * the store. And who sends much waits longer than who sends little.
 */
export class WorkTurns {
  readonly #bytesPerTurn: number;
  #left: number;
  #waiting: Waiting[] = [];
  /** Those before it have had their turn: taking each out would cost as much as all that wait. */
  #first = 0;
  #isTurning = false;

  constructor(bytesPerTurn: number) {
    this.#bytesPerTurn = bytesPerTurn;
    this.#left = bytesPerTurn;
  }

  /** Asks for leave to look at so many bytes, at most those of a turn. Null: at once. */
  ask(bytes: number): Promise<void> | null {
    this.#turnLater();
    if (this.#left > 0 && this.#waiting.length === 0) {
      this.#left -= bytes;
      return null;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ bytes, go: resolve });
    return promise;
  }

  #turnLater(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isTurning = false;
    this.#left = this.#bytesPerTurn;
    for (
      let next = this.#waiting[this.#first];
      next !== undefined && this.#left > 0;
      next = this.#waiting[this.#first]
    ) {
      this.#left -= next.bytes;
      next.go();
      this.#first++;
    }
    if (2 * this.#first >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    if (this.#waiting.length > 0) this.#turnLater();
  }
}

/** Lets one at a time do something, in the order in which they asked. */
export class Turns {
  readonly #maxWaiting: number;
  #isTaken = false;
  readonly #waiting = new Set<() => void>();

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  get isIdle(): boolean {
    return !this.#isTaken;
  }

  /** Resolves with what ends the turn; with null if too many wait already, or if the turn does not come in time. */
  take(waitMs: number): Promise<(() => void) | null> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve(this.#endOnce());
    }
    if (this.#waiting.size >= this.#maxWaiting) return Promise.resolve(null);
    return new Promise((resolve) => {
      const begin = () => {
        clearTimeout(timer);
        resolve(this.#endOnce());
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        resolve(null);
      }, waitMs);
      this.#waiting.add(begin);
    });
  }

  #endOnce(): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const [next] = this.#waiting;
      if (next === undefined) {
        this.#isTaken = false;
        return;
      }
      this.#waiting.delete(next);
      // What else has come in meanwhile is answered between two turns.
      setImmediate(next);
    };
  }
}

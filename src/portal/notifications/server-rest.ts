/** A mail server that takes nothing is tried again after this, then after twice as long, and so on. */
const firstRetryMs = 5_000;
const maxRetryMs = 5 * 60_000;

/** When the mail server is tried again, by the process's own counter. */
export class ServerRest {
  #until = 0;
  #failures = 0;

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** The server took a mail. */
  end(): void {
    this.#failures = 0;
  }

  /** The server took nothing. Returns for how long it is left alone. */
  begin(): number {
    const retryMs = Math.min(firstRetryMs * 2 ** this.#failures++, maxRetryMs);
    this.#until = performance.now() + retryMs;
    return retryMs;
  }
}

export interface Delivery {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly receivedAt: number;
  /** The broker may then forget the message. Does nothing after the end of the connection. */
  readonly acknowledge: () => void;
}

/** These fill one transaction. */
const maxMessages = 1_000;
/** The largest message fits. */
const maxBytes = 16 * 1024 * 1024;

/** Messages between arrival and acknowledgement. While it is full, the rest stays with the broker. */
export class Inbox {
  #waiting: Delivery[] = [];
  #messages = 0;
  #bytes = 0;
  #state: "open" | "draining" | "closed" = "open";
  #onChange = Promise.withResolvers<void>();
  /** Reads the next message. The connection waits for it, so there is at most one. */
  #resume: (() => void) | null = null;

  /** Calls `resume` when there is room for another message. After the end, messages are left to the broker. */
  put(delivery: Delivery, resume: () => void): void {
    if (this.#state === "open") {
      this.#waiting.push(delivery);
      this.#messages++;
      this.#bytes += delivery.payload.length;
      this.#changed();
    }
    if (this.#state === "open" && this.#isFull()) this.#resume = resume;
    else resume();
  }

  /** All waiting messages, as soon as there are any. Null after the end. */
  async take(): Promise<readonly Delivery[] | null> {
    while (this.#waiting.length === 0 && this.#state === "open") await this.#onChange.promise;
    if (this.#waiting.length === 0 || this.#state === "closed") return null;
    return this.#waiting.splice(0);
  }

  release(deliveries: readonly Delivery[]): void {
    this.#messages -= deliveries.length;
    for (const { payload } of deliveries) this.#bytes -= payload.length;
    if (!this.#isFull()) this.#continue();
  }

  /** Accepts nothing more; waiting messages can still be taken. */
  drain(): void {
    if (this.#state === "open") this.#state = "draining";
    this.#continue();
  }

  /** Accepts nothing more and drops waiting messages. */
  close(): void {
    this.#state = "closed";
    this.#waiting = [];
    this.#continue();
  }

  #isFull(): boolean {
    return this.#messages >= maxMessages || this.#bytes >= maxBytes;
  }

  #continue(): void {
    const resume = this.#resume;
    this.#resume = null;
    this.#changed();
    resume?.();
  }

  #changed(): void {
    this.#onChange.resolve();
    this.#onChange = Promise.withResolvers();
  }
}

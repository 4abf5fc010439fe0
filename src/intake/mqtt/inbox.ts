/** A message that waits to be stored. */
export interface Delivery {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly receivedAt: number;
  /** Tells the broker that it may forget the message. Does nothing once the connection it came by is gone. */
  readonly acknowledge: () => void;
}

/** As many as fill one transaction. */
const maxMessages = 1_000;
/** The largest message fits. */
const maxBytes = 16 * 1024 * 1024;

/**
 * The messages of one connection between their arrival and their acknowledgement. When it is full, the connection is not
 * read any further, so the broker keeps the rest.
 */
export class Inbox {
  #waiting: Delivery[] = [];
  #messages = 0;
  #bytes = 0;
  #state: "open" | "draining" | "closed" = "open";
  #onChange = Promise.withResolvers<void>();
  /** Goes on with reading. The connection waits for it before it puts in another, so there is one at most. */
  #readOn: (() => void) | null = null;

  /** `readOn` is called when there is room for another. What comes after the end is left to the broker. */
  put(delivery: Delivery, readOn: () => void): void {
    if (this.#state === "open") {
      this.#waiting.push(delivery);
      this.#messages++;
      this.#bytes += delivery.payload.length;
      this.#changed();
    }
    if (this.#state === "open" && this.#isFull()) this.#readOn = readOn;
    else readOn();
  }

  /** All that wait, as soon as there are any. Null after the end. */
  async take(): Promise<readonly Delivery[] | null> {
    while (this.#waiting.length === 0 && this.#state === "open") await this.#onChange.promise;
    if (this.#waiting.length === 0 || this.#state === "closed") return null;
    return this.#waiting.splice(0);
  }

  /** Those that were taken are done with. */
  release(deliveries: readonly Delivery[]): void {
    this.#messages -= deliveries.length;
    for (const { payload } of deliveries) this.#bytes -= payload.length;
    if (!this.#isFull()) this.#goOn();
  }

  /** Takes in nothing more; what waits can still be taken. */
  drain(): void {
    if (this.#state === "open") this.#state = "draining";
    this.#goOn();
  }

  /** What waits is forgotten, too. */
  close(): void {
    this.#state = "closed";
    this.#waiting = [];
    this.#goOn();
  }

  #isFull(): boolean {
    return this.#messages >= maxMessages || this.#bytes >= maxBytes;
  }

  #goOn(): void {
    const readOn = this.#readOn;
    this.#readOn = null;
    this.#changed();
    readOn?.();
  }

  #changed(): void {
    this.#onChange.resolve();
    this.#onChange = Promise.withResolvers();
  }
}

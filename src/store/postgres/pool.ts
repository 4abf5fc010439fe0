import type { SQL } from "bun";
import { noAnswer, placeOf } from "./errors.ts";
import { SilenceWatch, WaitingAnswers } from "./silence-watch.ts";

/** How long `close` waits for what was asked before it. */
const closingMs = 5_000;

/** A client of one connection. It connects when it is used first, and again when the connection was cut. */
interface Slot {
  readonly client: SQL;
  /** Statements on their way. A transaction counts as one. */
  users: number;
  isTaken: boolean;
  /** Set from when it could not connect until it can. */
  isDoubtful: boolean;
  /** Whether it has ever been answered. */
  isConnected: boolean;
}

/** A caller for whom there is no connection yet. */
interface Waiting {
  readonly isAlone: boolean;
  begin(slot: Slot): void;
  fail(error: unknown): void;
}

export interface PoolOptions {
  readonly size: number;
  readonly limitMs: number;
  readonly connect: () => SQL;
  readonly isServerAlive: () => Promise<boolean>;
}

/**
 * The connections to PostgreSQL. Each has its own client, because Bun's pool does not say which of its connections has
 * gone silent, and only that one must be discarded.
 *
 * Callers are served in turn: reads and transactions cannot starve each other.
 */
export class ConnectionPool {
  /** Where the server is, for messages. */
  readonly place: string;
  readonly #options: PoolOptions;
  readonly #slots: Slot[];
  readonly #answers: WaitingAnswers;
  #waiting: Waiting[] = [];
  /** Called when nobody uses or waits for a connection any more. */
  #onIdle: (() => void) | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#answers = new WaitingAnswers(options.isServerAlive);
    const first = this.#newSlot();
    this.place = placeOf(first.client);
    this.#slots = [first, ...Array.from({ length: options.size - 1 }, () => this.#newSlot())];
  }

  /** Runs one statement. It is queued behind others if all connections are busy. */
  share<T>(limitMs: number, run: (client: SQL) => Promise<T>): Promise<T> {
    return this.#use(false, limitMs, run);
  }

  /** Gives a connection to one caller. The first answer on it must be reported to the watch. */
  alone<T>(run: (client: SQL, watch: SilenceWatch) => Promise<T>): Promise<T> {
    return this.#use(true, this.#options.limitMs, run);
  }

  async close(): Promise<void> {
    const { promise: idle, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    const timer = setTimeout(resolve, closingMs);
    this.#reportIdle();
    await idle;
    clearTimeout(timer);
    for (const waiting of this.#waiting.splice(0)) waiting.fail(noAnswer(this.place));
    await Promise.all(this.#slots.map(({ client }) => client.close({ timeout: 0 })));
  }

  /** The time spent waiting for a connection counts. */
  #use<T>(isAlone: boolean, limitMs: number, run: (client: SQL, watch: SilenceWatch) => Promise<T>): Promise<T> {
    if (this.#onIdle) return Promise.reject(noAnswer(this.place));
    return new Promise<T>((resolve, reject) => {
      let slot: Slot | null = null;
      const end = () => {
        watch.stop();
        if (slot) this.#leave(slot);
      };
      const waiting: Waiting = {
        isAlone,
        begin: (given) => {
          slot = given;
          slot.users++;
          slot.isTaken = isAlone;
          run(given.client, watch).then(
            (result) => {
              given.isConnected = true;
              given.isDoubtful = false;
              end();
              resolve(result);
            },
            (error) => {
              given.isDoubtful = !given.isConnected;
              end();
              reject(error);
            },
          );
        },
        fail: (error) => {
          watch.stop();
          reject(error);
        },
      };
      const watch = new SilenceWatch(this.#answers, {
        limitMs,
        onSilence: () => {
          reject(noAnswer(this.place));
          if (slot) this.#discard(slot);
          else this.#withdraw(waiting);
        },
      });
      watch.expectAnswer();
      const free = this.#waiting.length === 0 ? this.#slotFor(waiting) : null;
      if (free) waiting.begin(free);
      else this.#waiting.push(waiting);
    });
  }

  /**
   * One that could not connect comes last: a server whose disk is full answers existing connections and accepts no new
   * ones.
   */
  #slotFor({ isAlone }: Waiting): Slot | null {
    let best: Slot | null = null;
    let doubtful: Slot | null = null;
    for (const slot of this.#slots) {
      if (slot.users === 0 && !slot.isDoubtful) return slot;
      if (slot.users === 0) doubtful = slot;
      else if (!isAlone && !slot.isTaken && (best === null || slot.users < best.users)) best = slot;
    }
    return best ?? doubtful;
  }

  #leave(slot: Slot): void {
    slot.users--;
    slot.isTaken = false;
    this.#serveWaiting();
  }

  #serveWaiting(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const slot = this.#slotFor(next);
      if (slot === null) return;
      this.#waiting.shift();
      next.begin(slot);
    }
    this.#reportIdle();
  }

  #reportIdle(): void {
    if (this.#onIdle && this.#slots.every(({ users }) => users === 0)) this.#onIdle();
  }

  #withdraw(waiting: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    this.#serveWaiting();
  }

  /**
   * Everything else under way on this connection fails, too. Idle connections are renewed with it: what silenced one
   * has often silenced all, and each would cost somebody the whole wait.
   */
  #discard(silent: Slot): void {
    for (const [index, slot] of this.#slots.entries()) {
      if (slot !== silent && slot.users > 0) continue;
      this.#slots[index] = this.#newSlot();
      void slot.client.close({ timeout: 0 });
    }
    this.#serveWaiting();
  }

  #newSlot(): Slot {
    return { client: this.#options.connect(), users: 0, isTaken: false, isDoubtful: false, isConnected: false };
  }
}

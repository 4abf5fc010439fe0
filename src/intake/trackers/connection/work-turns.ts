/** A line for each kind of sender: one kind costs the others no more than a part of the time. */
export type WorkLine = "logged_in" | "before_login" | "datagrams";

interface QueuedTurn {
  readonly bytes: number;
  readonly go: () => void;
}

/** In the order of asking. */
class TurnQueue {
  #waiting: QueuedTurn[] = [];
  /** Those before it have had their turn: taking each out would cost as much as all that wait. */
  #first = 0;

  add(waiting: QueuedTurn): void {
    this.#waiting.push(waiting);
  }

  take(): QueuedTurn | null {
    const next = this.#waiting[this.#first] ?? null;
    if (next !== null) this.#first++;
    if (2 * this.#first >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    return next;
  }
}

/**
 * Shares the event loop among all connections. In one turn of it, so many bytes are looked at and no more, from whatever connections
 * they come; a connection that finds them used up waits its turn. So everything else goes on between: sockets, timers, the store. There are a few
 * lines, each in the order of asking, and they are served by turns: a connection that sends much waits longer than one that sends little, and
 * strangers hold up no tracker that is logged in.
 */
export class WorkTurns {
  readonly #bytesPerTurn: number;
  #left: number;
  readonly #lines: Readonly<Record<WorkLine, TurnQueue>> = {
    logged_in: new TurnQueue(),
    before_login: new TurnQueue(),
    datagrams: new TurnQueue(),
  };
  /** The one that was served last is the last of them. */
  readonly #order = Object.values(this.#lines);
  #waiting = 0;
  #isTurning = false;

  constructor(bytesPerTurn: number) {
    this.#bytesPerTurn = bytesPerTurn;
    this.#left = bytesPerTurn;
  }

  /** Asks for leave to look at so many bytes, at most those of a turn. Null: at once. */
  ask(bytes: number, line: WorkLine): Promise<void> | null {
    this.#turnLater();
    if (this.#left > 0 && this.#waiting === 0) {
      this.#left -= bytes;
      return null;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lines[line].add({ bytes, go: resolve });
    this.#waiting++;
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
    while (this.#waiting > 0 && this.#left > 0) this.#serveNext();
    if (this.#waiting > 0) this.#turnLater();
  }

  #serveNext(): void {
    const line = this.#order.shift() as TurnQueue;
    this.#order.push(line);
    const next = line.take();
    if (next === null) return;
    this.#waiting--;
    this.#left -= next.bytes;
    next.go();
  }
}

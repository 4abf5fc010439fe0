import type { Observe } from "../observe/observation.ts";

/**
 * The time limit for draining, the ingest side and the store together. systemd waits for 30 seconds (docs/operations.md).
 * A worker must end before the process that started it, which waits for it.
 */
export const endMs = { first: 20_000, worker: 15_000 } as const;

interface Open {
  readonly what: string;
  readonly close: () => Promise<void> | void;
}

/** Closes everything that is open, in reverse order and within one deadline, even if the store never answers again. */
export class Ending {
  readonly #open: Open[] = [];
  readonly #observe: Observe;
  readonly #limitMs: number;
  #timer: Timer | null = null;

  constructor(observe: Observe, limitMs: number) {
    this.#observe = observe;
    this.#limitMs = limitMs;
  }

  /** Registers something that was opened. It is closed before everything opened earlier, which it may still need. */
  add(what: string, close: Open["close"]): void {
    this.#open.push({ what, close });
  }

  /** Starts the deadline. When it has passed, the process ends, whatever it waits for. */
  begin(): void {
    this.#timer ??= setTimeout(() => this.#cutOff(), this.#limitMs);
  }

  async closeAll(): Promise<void> {
    this.begin();
    try {
      for (let last = this.#open.at(-1); last !== undefined; last = this.#open.at(-1)) {
        await last.close();
        this.#open.pop();
      }
    } finally {
      clearTimeout(this.#timer ?? undefined);
    }
  }

  /** Loses nothing that was acknowledged: that is on disk. */
  #cutOff(): never {
    const givenUp = this.#open.map(({ what }) => what).toReversed();
    this.#observe({ kind: "server_cut_off", givenUp: givenUp.join(", "), afterMs: this.#limitMs });
    process.exit(1);
  }
}

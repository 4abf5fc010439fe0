import type { Observe } from "../observe/observation.ts";

/**
 * Draining, the ingest side and the store together. systemd waits for 30 seconds (docs/operations.md). A worker ends before
 * the process that started it, and waits for it.
 */
export const endMs = { first: 20_000, worker: 15_000 } as const;

interface Open {
  readonly what: string;
  readonly close: () => Promise<void> | void;
}

/** What is open, and the end of it: all is closed in order, within one deadline, also if the store never answers again. */
export class Ending {
  readonly #open: Open[] = [];
  readonly #observe: Observe;
  readonly #limitMs: number;
  #timer: Timer | null = null;

  constructor(observe: Observe, limitMs: number) {
    this.#observe = observe;
    this.#limitMs = limitMs;
  }

  /** Something was opened. It is closed before all that was opened earlier: nobody asks any more when that is closed. */
  add(what: string, close: Open["close"]): void {
    this.#open.push({ what, close });
  }

  /** From now on time is running: the process ends when it is over, whatever it waits for. */
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

  /** What was acknowledged is on disk in any case. */
  #cutOff(): never {
    const givenUp = this.#open.map(({ what }) => what).toReversed();
    this.#observe({ kind: "server_cut_off", givenUp: givenUp.join(", "), afterMs: this.#limitMs });
    process.exit(1);
  }
}

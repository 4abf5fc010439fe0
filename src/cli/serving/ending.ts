import type { Observe } from "../../observe/observation.ts";

/**
 * How long an end may take from the signal on: the time in which clients are asked to go elsewhere, and after it the requests
 * in progress, the ingest side and the store together. By default that is 20 seconds; systemd waits for 30
 * (docs/operations.md). A worker must end before the process that started it, which waits for it and then kills it.
 */
export function endLimits(drainMs: number) {
  return { first: drainMs + 17_000, kill: drainMs + 15_000, worker: drainMs + 13_000 } as const;
}

/** By default, with PostgreSQL: longer than the balancers of docs/operations.md need to notice. */
const defaultDrainMs = 3_000;

/**
 * A store in a file has one server: there is nobody else to go to, and waiting would only make a restart longer.
 */
export function drainTime(seconds: number | null, engine: "sqlite" | "postgres"): number {
  if (seconds != null) return seconds * 1000;
  return engine === "postgres" ? defaultDrainMs : 0;
}

/** Runs the work once; later calls wait for the same. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

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

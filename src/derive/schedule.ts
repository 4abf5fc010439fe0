import type { Observe } from "../observe/observation.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { eachAccount } from "../store/each-account.ts";
import { dirtyDevices } from "../store/facts/folds.ts";
import type { DeriveDeps } from "./base.ts";
import { backgroundOf } from "./pace.ts";
import { rederive } from "./rederive.ts";

/** Devices searched for at a time. */
const maxPerSearch = 100;

/** In SQLite they share one commit, which matters while frames are being stored. In PostgreSQL each has a connection. */
const maxAtOnce = { sqlite: 32, postgres: 4 } as const;

/** Accounts looked at at a time, so that what a killed node left is found soon where an answer takes a while. */
const accountsAtOnce = 4;

interface QueuedDevice extends PromiseWithResolvers<void> {
  readonly key: DeviceKey;
}

/** Derives again what late frames have touched, a few devices at a time, while other frames arrive. */
export class Schedule {
  readonly #deps: DeriveDeps;
  readonly #observe: Observe;
  readonly #waiting = new Map<number, QueuedDevice>();
  #working: Promise<void> | null = null;
  #isClosed = false;

  constructor(deps: DeriveDeps, observe: Observe) {
    this.#deps = deps;
    this.#observe = observe;
  }

  /** Resolves when the facts of these devices follow from all frames stored until now. */
  async derive(keys: readonly DeviceKey[]): Promise<void> {
    await Promise.all(keys.map((key) => this.#enqueue(key)));
  }

  /** Derives what others have left: another process that was killed, or one that only stored frames. */
  async deriveLeft(stop?: AbortSignal): Promise<void> {
    const pace = backgroundOf(stop);
    const isOver = () => this.#isClosed || pace.isStopped;
    const deriveOf = async (accountId: number) => {
      while (!isOver()) {
        const keys = await dirtyDevices(this.#deps.database, accountId, maxPerSearch);
        if (keys.length === 0) return;
        await this.derive(keys);
      }
    };
    await eachAccount(this.#deps.database, pace, deriveOf, { atOnce: accountsAtOnce });
  }

  /** Finishes the devices under way. The store knows what is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
  }

  #enqueue(key: DeviceKey): Promise<void> {
    const before = this.#waiting.get(key.device);
    if (before) return before.promise;
    const queued = { key, ...Promise.withResolvers<void>() };
    this.#waiting.set(key.device, queued);
    this.#working ??= this.#work();
    return queued.promise;
  }

  async #work(): Promise<void> {
    const underWay = new Map<number, Promise<void>>();
    while (this.#waiting.size > 0 || underWay.size > 0) {
      for (const [device, waiting] of this.#waiting) {
        if (underWay.size >= maxAtOnce[this.#deps.database.engine]) break;
        // Later callers have to wait for another round: frames may arrive that this one does not see.
        if (underWay.has(device)) continue;
        this.#waiting.delete(device);
        const done = this.#deriveOne(waiting).finally(() => underWay.delete(device));
        underWay.set(device, done);
      }
      await Promise.race(underWay.values());
    }
    this.#working = null;
  }

  async #deriveOne({ key, resolve, reject }: QueuedDevice): Promise<void> {
    if (this.#isClosed) return resolve();
    try {
      const result = await rederive(this.#deps, key);
      if (result) this.#observe({ kind: "late_frames_refolded", device: key.device, ...result });
      resolve();
    } catch (error) {
      reject(error);
    }
  }
}

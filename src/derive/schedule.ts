import type { Observe } from "../observe/observation.ts";
import { storeNow } from "../store/clock.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { dirtyDevices } from "../store/facts/folds.ts";
import { countWaitingDevices } from "../store/facts/waiting-devices.ts";
import type { DeriveDeps } from "./base.ts";
import { eachMarked } from "./marked.ts";
import { backgroundOf, type WorkPace } from "./pace.ts";
import { rederive } from "./rederive.ts";

/** Devices of an account searched for at a time: those of other accounts wait for no more. */
const maxPerSearch = 32;

/** In SQLite they share one commit, which matters while frames are being stored. In PostgreSQL each has a connection. */
const maxAtOnce = { sqlite: 32, postgres: 4 } as const;

/** Accounts at a time: few have so much to derive that it takes long. */
const accountsAtOnce = 32;

interface QueuedDevice extends PromiseWithResolvers<void> {
  readonly key: DeviceKey;
}

/** Derives again what late frames have touched, a few devices at a time, while other frames arrive. */
export class Schedule {
  readonly #deps: DeriveDeps;
  readonly #observe: Observe;
  readonly #onWaiting: () => void;
  readonly #waiting = new Map<number, QueuedDevice>();
  #working: Promise<void> | null = null;
  #isClosed = false;

  /** `onWaiting` is called where devices are found that wait for newer rules: another derives those. */
  constructor(deps: DeriveDeps, observe: Observe, onWaiting: () => void = () => {}) {
    this.#deps = deps;
    this.#observe = observe;
    this.#onWaiting = onWaiting;
  }

  /** Resolves when the facts of these devices follow from all frames stored until now. */
  async derive(keys: readonly DeviceKey[]): Promise<void> {
    await Promise.all(keys.map((key) => this.#enqueue(key)));
  }

  /** Derives what others have left: another process that was killed, or one that only stored frames. */
  async deriveLeft(stop?: AbortSignal): Promise<void> {
    const { database } = this.#deps;
    const background = backgroundOf(stop);
    const isOver = () => this.#isClosed || background.isStopped;
    const pace: WorkPace = {
      get isStopped() {
        return isOver();
      },
      rest: () => background.rest(),
    };
    const deriveOf = async (accountId: number) => {
      while (!isOver()) {
        const keys = await dirtyDevices(database, accountId, maxPerSearch);
        if (keys.length === 0) break;
        await this.derive(keys);
      }
      if (!isOver() && (await countWaitingDevices(database, accountId)) > 0) this.#onWaiting();
      return null;
    };
    const walk = { work: "derive", now: await storeNow(database), pace, atOnce: accountsAtOnce } as const;
    await eachMarked(database, walk, deriveOf);
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

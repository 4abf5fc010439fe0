import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";
import { dirtyDevices } from "../store/folds.ts";
import type { DeviceKey } from "../store/frames.ts";
import type { AccountContexts } from "./account-context.ts";
import type { DeviceFolds } from "./device-folds.ts";
import { rederive } from "./rederive.ts";

const mostAtOnce = 100;

interface Waiting {
  readonly key: DeviceKey;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Derives again what late frames have touched, one device after the other, beside the frames that keep coming in. */
export class Rederiver {
  readonly #database: Database;
  readonly #contexts: AccountContexts;
  readonly #folds: DeviceFolds;
  readonly #observe: Observe;
  readonly #waiting = new Map<number, Waiting>();
  #working: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: { database: Database; contexts: AccountContexts; folds: DeviceFolds; observe: Observe }) {
    this.#database = parts.database;
    this.#contexts = parts.contexts;
    this.#folds = parts.folds;
    this.#observe = parts.observe;
  }

  /** Resolves when the facts of these devices are what all frames stored until now tell. */
  async settle(keys: readonly DeviceKey[]): Promise<void> {
    await Promise.all(keys.map((key) => this.#enqueue(key)));
  }

  /** Takes up what others have left: another process that was killed, or one that only stored frames. */
  async takeUp(): Promise<void> {
    for (;;) {
      const keys = await dirtyDevices(this.#database, mostAtOnce);
      if (keys.length === 0 || this.#isClosed) return;
      await this.settle(keys);
    }
  }

  /** Finishes the device at hand. What is left stays noted in the store. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
  }

  #enqueue(key: DeviceKey): Promise<void> {
    const before = this.#waiting.get(key.device);
    if (before) return before.done;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.set(key.device, { key, done: promise, resolve, reject });
    this.#working ??= this.#work();
    return promise;
  }

  async #work(): Promise<void> {
    for (const [device, waiting] of this.#waiting) {
      // Whoever asks from now on has to wait for another round: frames may come in that this one does not see.
      this.#waiting.delete(device);
      if (this.#isClosed) waiting.resolve();
      else await this.#derive(waiting);
    }
    this.#working = null;
  }

  async #derive({ key, resolve, reject }: Waiting): Promise<void> {
    try {
      const result = await rederive(this.#database, this.#contexts, this.#folds, key);
      if (result) this.#observe({ kind: "late_frames_refolded", device: key.device, ...result });
      resolve();
    } catch (error) {
      reject(error);
    }
  }
}

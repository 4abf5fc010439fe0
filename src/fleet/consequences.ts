import type { Transaction } from "../store/database.ts";
import { growFleetRevision } from "../store/fleet-context.ts";
import { markDirty } from "../store/folds.ts";
import type { DeviceKey } from "../store/frames.ts";
import { bumpViewers, type Shown, type Viewer } from "../store/viewers.ts";

/**
 * What a load means for what is derived and for those who look, gathered while its records are stored. It is written at
 * the end, in the order in which frames being stored at the same time take the same rows: else the two would wait for
 * each other.
 */
export class Consequences {
  readonly #accounts = new Set<number>();
  readonly #dirty = new Map<number, { readonly key: DeviceKey; readonly from: number }>();
  readonly #viewers = new Map<string, Viewer & { readonly shown: Shown }>();

  /** Something of this account is different: whoever keeps its fleet in memory has to read it again. */
  fleetChanged(accountId: number): void {
    this.#accounts.add(accountId);
  }

  /** What this device's frames tell may be different from a moment on. */
  deriveAgain(key: DeviceKey, from: number): void {
    const before = this.#dirty.get(key.device);
    if (before === undefined || from < before.from) this.#dirty.set(key.device, { key, from });
  }

  /** The devices whose facts are derived again, by number. */
  get devicesDerivedAgain(): Iterable<number> {
    return this.#dirty.keys();
  }

  /** These see something else from now on. */
  show(shown: Exclude<Shown, "both">, viewers: Iterable<Viewer>): void {
    for (const viewer of viewers) {
      const before = this.#viewers.get(viewer.user_id)?.shown ?? shown;
      this.#viewers.set(viewer.user_id, { ...viewer, shown: before === shown ? shown : "both" });
    }
  }

  async write(tx: Transaction): Promise<void> {
    await growFleetRevision(
      tx,
      [...this.#accounts].sort((one, other) => one - other),
    );
    const dirty = [...this.#dirty.values()].sort((one, other) => byAccountAndDevice(one.key, other.key));
    for (const { key, from } of dirty) await markDirty(tx, key, from);
    await bumpViewers(tx, this.#viewers.values());
  }
}

function byAccountAndDevice(one: DeviceKey, other: DeviceKey): number {
  return one.accountId - other.accountId || one.device - other.device;
}

import { fromTheBeginning } from "../domain/versions.ts";
import { assignmentsOfDevices } from "../store/assignments.ts";
import type { Transaction } from "../store/database.ts";
import { growFleetRevision } from "../store/fleet-context.ts";
import { markAccountDirty, markDirty } from "../store/folds.ts";
import type { DeviceKey } from "../store/frames.ts";
import { ownersOf } from "../store/users.ts";
import { bumpViewers, type Shown, type Viewer } from "../store/viewers.ts";
import { type FenceChange, updateContainment } from "./live-containment.ts";

/**
 * What a load means for derived data and for viewers, collected while its records are stored. It is written at the end,
 * locking rows in the same order as frames that are stored at the same time; otherwise the two could deadlock.
 */
export class Consequences {
  readonly #accounts = new Set<number>();
  /** Those of which all devices are derived again, from the beginning. */
  readonly #dirtyAccounts = new Set<number>();
  readonly #dirty = new Map<number, { readonly key: DeviceKey; readonly from: number }>();
  readonly #fences = new Map<number, FenceChange[]>();
  readonly #viewers = new Map<string, Viewer & { readonly shown: Shown }>();

  /** Something of this account has changed: its fleet must be read into memory again. */
  fleetChanged(accountId: number): void {
    this.#accounts.add(accountId);
  }

  /** Facts of this device may change from this time on. */
  deriveAgain(key: DeviceKey, from: number): void {
    const before = this.#dirty.get(key.device);
    if (before === undefined || from < before.from) this.#dirty.set(key.device, { key, from });
  }

  /** All facts of this account's devices may change. */
  deriveAccountAgain(accountId: number): void {
    this.#dirtyAccounts.add(accountId);
  }

  /** The devices that will be derived again by themselves, not with their account; by number. */
  get devicesDerivedAgain(): Iterable<number> {
    return this.#dirty.keys();
  }

  /** These viewers see something else from now on. */
  show(shown: Exclude<Shown, "both">, viewers: Iterable<Viewer>): void {
    for (const viewer of viewers) {
      const before = this.#viewers.get(viewer.user_id)?.shown ?? shown;
      this.#viewers.set(viewer.user_id, { ...viewer, shown: before === shown ? shown : "both" });
    }
  }

  /** A fence has changed: devices may now be inside or outside of it without having moved. */
  fenceChanged(accountId: number, change: FenceChange): void {
    const before = this.#fences.get(accountId);
    if (before === undefined) this.#fences.set(accountId, [change]);
    else before.push(change);
  }

  async write(tx: Transaction): Promise<void> {
    await growFleetRevision(tx, inOrder(this.#accounts));
    // From here until the commit, nobody else stores or derives frames of these accounts.
    const byAccount = Map.groupBy(this.#dirty.values(), ({ key }) => key.accountId);
    for (const accountId of inOrder(new Set([...byAccount.keys(), ...this.#dirtyAccounts]))) {
      if (this.#dirtyAccounts.has(accountId)) {
        await markAccountDirty(tx, accountId, fromTheBeginning);
        continue;
      }
      const byMoment = Map.groupBy(byAccount.get(accountId) ?? [], ({ from }) => from);
      for (const [from, dirty] of byMoment) {
        await markDirty(
          tx,
          accountId,
          dirty.map(({ key }) => key.device),
          from,
        );
      }
    }
    for (const accountId of inOrder(this.#fences.keys())) await this.#showContainment(tx, accountId);
    await bumpViewers(tx, this.#viewers.values());
  }

  async #showContainment(tx: Transaction, accountId: number): Promise<void> {
    const devices = await updateContainment(tx, accountId, this.#fences.get(accountId) ?? []);
    if (devices.length === 0) return;
    const owners = (await ownersOf(tx, [accountId])).map(({ id }) => id);
    const assigned = (await assignmentsOfDevices(tx, accountId, devices)).map(({ user_id }) => user_id);
    const viewers = new Set([...owners, ...assigned]);
    this.show(
      "live positions",
      Array.from(viewers, (user_id) => ({ account_id: accountId, user_id })),
    );
  }
}

function inOrder(numbers: Iterable<number>): number[] {
  return [...numbers].sort((one, other) => one - other);
}

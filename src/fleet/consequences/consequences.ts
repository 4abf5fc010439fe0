import { endLostShares } from "../../access/end-shares.ts";
import type { RuleHistory, TagHistory } from "../../domain/alerts/set-rules.ts";
import type { Actor } from "../../domain/audit.ts";
import { fromTheBeginning } from "../../domain/versions.ts";
import { accountViewer, nextChange, type Shown, type Sight, showSubAccounts } from "../../store/changes/viewers.ts";
import type { Transaction } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { markAccountDirty, markDirty } from "../../store/facts/folds.ts";
import { assignmentsOfDevices } from "../../store/fleet/assignments.ts";
import { growFleetRevision } from "../../store/fleet/fleet-context.ts";
import { dueAtOnce, markAccounts } from "../../store/upkeep/account-marks.ts";
import { ChangedRecords } from "./changed-records.ts";
import { type FenceChange, updateContainment } from "./live-containment.ts";
import { RecordChanges } from "./record-changes.ts";

/** What a load changes of one account's rules and tags: how they were before. */
export interface ChangedRules {
  readonly own: Map<number, RuleHistory>;
  readonly tags: Map<number, TagHistory>;
  /** By tag; those for all devices under `forAll`. */
  readonly shared: Map<string, RuleHistory>;
}

/**
 * What a load means for derived data and for viewers, collected while its records are stored. It is written at the end,
 * locking rows in the same order as frames that are stored at the same time; otherwise the two could deadlock.
 */
export class Consequences {
  readonly changed = new ChangedRecords();
  /** How many sub-accounts begin and cease to see how many devices. */
  readonly assignments = { begun: 0, ended: 0 };
  /** Accounts of which something has changed: their fleets must be read into memory again. */
  readonly changedFleets = new Set<number>();
  /** Accounts of which everything is derived again, from the beginning. */
  readonly accountsDerivedAgain = new Set<number>();
  readonly #dirty = new Map<number, { readonly key: DeviceKey; readonly from: number }>();
  readonly #fences = new Map<number, FenceChange[]>();
  /** By account: whose pictures change, by user id. The account's own is the owner's. */
  readonly #shown = new Map<number, Map<string, Shown>>();
  readonly #records = new Map<number, RecordChanges>();
  readonly changedRules = new Map<number, ChangedRules>();

  /** Facts of this device may change from this time on. */
  deriveAgain(key: DeviceKey, from: number): void {
    const before = this.#dirty.get(key.device);
    if (before === undefined || from < before.from) this.#dirty.set(key.device, { key, from });
  }

  /** What else is derived again, and from when. */
  get derivedAgain(): Iterable<{ readonly key: DeviceKey; readonly from: number }> {
    return this.#dirty.values();
  }

  /** How many sub-accounts see something else. */
  get subAccountsConcerned(): number {
    const viewers = [...this.#shown.values()].flatMap((own) => [...own.keys()]);
    return viewers.filter((viewer) => viewer !== accountViewer).length;
  }

  /** These viewers see something else from now on: sub-accounts, or `accountViewer` for the owner. */
  show(shown: "live positions" | "devices", accountId: number, viewers: Iterable<string>): void {
    const ofAccount = this.#shown.get(accountId) ?? new Map<string, Shown>();
    for (const viewer of viewers) {
      const before = ofAccount.get(viewer) ?? shown;
      ofAccount.set(viewer, before === shown ? shown : "both");
    }
    if (ofAccount.size > 0) this.#shown.set(accountId, ofAccount);
  }

  /** What followers get of this account's records. */
  records(accountId: number): RecordChanges {
    return this.#records.getOrInsertComputed(accountId, () => new RecordChanges());
  }

  /** What changes of an account's alert rules and tags; `noteRuleChanges` finds the devices that this concerns. */
  rules(accountId: number): ChangedRules {
    return this.changedRules.getOrInsertComputed(accountId, () => ({
      own: new Map(),
      tags: new Map(),
      shared: new Map(),
    }));
  }

  /** A fence has changed: devices may now be inside or outside of it without having moved. */
  fenceChanged(accountId: number, change: FenceChange): void {
    this.#fences.getOrInsertComputed(accountId, () => []).push(change);
  }

  /** `by`: whose doing it is, for what ends because of it. */
  async write(tx: Transaction, by: Actor, now: number): Promise<void> {
    await growFleetRevision(tx, inOrder(this.changedFleets));
    // A rule for silent devices may be among it, or a device that is in use again.
    await markAccounts(
      tx,
      inOrder(this.changedFleets).map((accountId) => ({ work: "offline", accountId, dueAt: dueAtOnce })),
    );
    // From here until the commit, nobody else stores or derives frames of these accounts.
    const byAccount = Map.groupBy(this.#dirty.values(), ({ key }) => key.accountId);
    for (const accountId of inOrder(new Set([...byAccount.keys(), ...this.accountsDerivedAgain]))) {
      if (this.accountsDerivedAgain.has(accountId)) {
        await markAccountDirty(tx, accountId, fromTheBeginning);
        continue;
      }
      const byMoment = Map.groupBy(byAccount.get(accountId) ?? [], ({ from }) => from);
      for (const [from, dirty] of byMoment) {
        const devices = dirty.map(({ key }) => key.device);
        await markDirty(tx, accountId, devices, from);
      }
    }
    for (const accountId of inOrder(this.#fences.keys())) await this.#showContainment(tx, accountId);
    for (const accountId of inOrder(new Set([...this.#shown.keys(), ...this.#records.keys()]))) {
      await this.#writeChangeLog(tx, accountId, now);
    }
    const ofChanged = this.changed.all.map(({ accountId }) => accountId);
    for (const accountId of inOrder(new Set([...ofChanged, ...this.changedFleets, ...this.#shown.keys()]))) {
      await endLostShares(tx, accountId, by, now);
    }
  }

  /** Raises the counters of those who see something else, and logs the change for followers. */
  async #writeChangeLog(tx: Transaction, accountId: number, now: number): Promise<void> {
    const shown = new Map(this.#shown.get(accountId));
    const records = this.#records.get(accountId);
    if (shown.size === 0 && (records?.isEmpty ?? true)) return;
    const ofOwner = { shown: shown.get(accountViewer) ?? "neither", about: records?.types() ?? nothing };
    const number = await nextChange(tx, accountId, ofOwner);
    shown.delete(accountViewer);
    const seen = (await records?.write(tx, { accountId, number, now })) ?? new Map();
    const viewers = new Set([...shown.keys(), ...seen.keys()]);
    const sights = Array.from(viewers, (userId): [string, Sight] => [
      userId,
      { shown: shown.get(userId) ?? "neither", about: seen.get(userId) ?? nothing },
    ]);
    await showSubAccounts(tx, accountId, number, new Map(sights));
  }

  async #showContainment(tx: Transaction, accountId: number): Promise<void> {
    const devices = await updateContainment(tx, accountId, this.#fences.get(accountId) ?? []);
    if (devices.length === 0) return;
    const assigned = (await assignmentsOfDevices(tx, accountId, devices)).map(({ user_id }) => user_id);
    this.show("live positions", accountId, [accountViewer, ...assigned]);
  }
}

const nothing: Sight["about"] = new Set();

function inOrder(numbers: Iterable<number>): number[] {
  return [...numbers].sort((one, other) => one - other);
}

import { rulesVersion } from "../../domain/rules.ts";
import { logDeviceChange } from "../../store/changes/change-writes.ts";
import { storeNow } from "../../store/clock.ts";
import type { Reader, Transaction } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { type Checkpoint, dropCheckpoints, saveCheckpoints } from "../../store/facts/checkpoints.ts";
import { type FoldProgress, foldProgress, holdFolds, isWaiting, notBegun } from "../../store/facts/folds.ts";
import { claimDevice, newClaim, renewClaim } from "../../store/facts/waiting-devices.ts";
import { holdFleetRevision } from "../../store/fleet/fleet-context.ts";
import { storeFrames } from "../../store/frames/frame-writes.ts";
import { framesAfter } from "../../store/frames/frames.ts";
import { type DeriveDeps, noRecents, stateBefore, tipOf } from "../base.ts";
import type { TrackedContext } from "../context.ts";
import { noChanges, type Rederived, rederivedOf } from "../device-changes.ts";
import { interimFrom } from "../interim.ts";
import { changedLatest } from "../latest.ts";
import type { WorkPace } from "../pace.ts";
import { checkpointOf } from "../state.ts";
import { writeChanges } from "../write.ts";
import { type UpgradePart, UpgradeWalk } from "./upgrade-walk.ts";

/** The last frames of a device are derived while it is locked. So many take some ten milliseconds. */
const maxLockedFrames = 1_024;

export interface UpgradeDeps extends DeriveDeps {
  /** Called after each part. */
  readonly onFrames?: (count: number) => Promise<void>;
}

/**
 * Makes everything of a waiting device follow the present rules. Null if it does not wait any more, if another has claimed it,
 * or if it was stopped: then it waits on, and is begun again from its first frame.
 *
 * It runs over the stored frames while others read and write. Verdicts and checkpoints are written part by part, in short
 * transactions. Facts and the live state are exchanged at once in the last transaction, which also derives the last frames:
 * those that others have been deriving meanwhile (`interim.ts`).
 */
export async function upgradeDevice(deps: UpgradeDeps, key: DeviceKey, pace: WorkPace): Promise<Rederived | null> {
  const { database } = deps;
  const claim = newClaim(await storeNow(database));
  const isClaimed = await database.transaction(async (tx) => {
    const progress = (await holdFolds(tx, key.accountId, [key.device])).get(key.device) ?? notBegun;
    if (isWaiting(progress)) await claimDevice(tx, key, claim);
    return isWaiting(progress);
  });
  return isClaimed ? new DeviceUpgrade(deps, key, claim).run(pace) : null;
}

/** Why a part was not written. Late frames were stored since, or the fleet was edited, from a moment on. */
type Hindrance = { readonly why: "lost" | "edited" | "further" } | { readonly why: "late"; readonly from: number };

const isLost: Hindrance = { why: "lost" };

class DeviceUpgrade {
  readonly #deps: UpgradeDeps;
  readonly #key: DeviceKey;
  #claim: number;

  constructor(deps: UpgradeDeps, key: DeviceKey, claim: number) {
    this.#deps = deps;
    this.#key = key;
    this.#claim = claim;
  }

  async run(pace: WorkPace): Promise<Rederived | null> {
    const { database } = this.#deps;
    const { droppedUntil } = await foldProgress(database, this.#key);
    let context = await this.#context(database);
    if (context === null) return null;
    const walk = await UpgradeWalk.begin(database, context.tracked, droppedUntil);
    while (!pace.isStopped) {
      const until = await interimFrom(database, context.tracked);
      const part = await walk.next(database, context.tracked, until, () => pace.rest());
      const isLeft = part.frameCount > 0;
      const result = isLeft ? await this.#save(part, context.revision) : await this.#finish(walk, until);
      if (result === null) {
        walk.accept(part);
        await this.#deps.onFrames?.(part.frameCount);
        continue;
      }
      if (!("why" in result)) return result;
      if (result.why === "lost") return null;
      context = await this.#context(database);
      if (context === null) return null;
      if (result.why === "late") await walk.goBack(database, context.tracked, result.from);
    }
    await database.transaction((tx) => renewClaim(tx, this.#key, this.#claim, null));
    return null;
  }

  #context(reader: Reader) {
    return this.#deps.contexts.ofDevice(reader, this.#key);
  }

  /** Returns the progress if nobody hinders; until the transaction ends nobody can. `last` is the last frame of the part. */
  async #hold(tx: Transaction, last: number): Promise<FoldProgress | Hindrance> {
    const key = this.#key;
    const progress = (await holdFolds(tx, key.accountId, [key.device])).get(key.device) ?? notBegun;
    const claim = newClaim(await storeNow(tx));
    if (!isWaiting(progress) || !(await renewClaim(tx, key, this.#claim, claim))) return isLost;
    this.#claim = claim;
    if (progress.dirty === null || progress.dirty.from > last) return progress;
    await claimDevice(tx, key, claim);
    return { why: "late", from: progress.dirty.from };
  }

  /** Writes a part, but for its facts. Null if it is written. */
  #save(part: UpgradePart, revision: number): Promise<Hindrance | null> {
    return this.#deps.database.transaction(async (tx) => {
      const fleetRevision = await holdFleetRevision(tx, this.#key.accountId);
      const held = await this.#hold(tx, part.reached.state.place?.recordedAt ?? 0);
      if ("why" in held) return held;
      // An edit that is valid from now on marks no device. Frames that came since may be in this part, and in no earlier one.
      if (fleetRevision !== revision) return { why: "edited" };
      const { untimelyUntil, head } = held;
      const { judgedAnew } = part;
      // Verdicts alone move no frame.
      await storeFrames(tx, this.#key.accountId, [
        { ...this.#key, untimelyUntil, head, sealing: held, added: [], judgedAnew, removed: [] },
      ]);
      await dropCheckpoints(tx, this.#key.accountId, withKey([part.replaced], this.#key));
      await saveCheckpoints(tx, withKey(part.checkpoints, this.#key));
      if (judgedAnew.length === 0) return null;
      await logDeviceChange(
        tx,
        this.#key,
        (change) => judgedAnew.reduce((all, { frame }) => all.add("position", frame.recordedAt), change),
        Date.now(),
      );
      return null;
    });
  }

  /** Derives what is left and writes the facts. `until`: where the walk ended. */
  async #finish(walk: UpgradeWalk, until: number): Promise<Rederived | Hindrance> {
    const { database, memory, onFrames } = this.#deps;
    const result = await database.transaction(async (tx) => {
      await holdFleetRevision(tx, this.#key.accountId);
      const held = await this.#hold(tx, walk.place?.recordedAt ?? 0);
      if ("why" in held) return held;
      const context = await this.#context(tx);
      if (context === null) return isLost;
      const { tracked } = context;
      const left = await framesAfter(tx, tracked, walk.place, maxLockedFrames);
      // Another has stored checkpoints since, so more of it can be derived without a lock.
      if (left.length >= maxLockedFrames && (await interimFrom(tx, tracked)) > until)
        return { why: "further" } as const;
      return this.#exchange(tx, tracked, held, walk, await walk.last(tx, tracked, held.silentAt));
    });
    if ("why" in result) return result;
    memory.put([result.bases]);
    await onFrames?.(result.frameCount);
    return result.rederived;
  }

  async #exchange(
    tx: Transaction,
    tracked: TrackedContext,
    before: FoldProgress,
    walk: UpgradeWalk,
    part: UpgradePart,
  ) {
    walk.accept(part);
    const { facts, frameCount, verdictsChanged } = walk;
    const { state } = part.reached;
    const latest = await changedLatest(tx, tracked, state.fold.tip, before.silentAt);
    const revision = before.revision + 1;
    const { judgedAnew } = part;
    const checkpoints = [...(await firstCheckpoint(tx, tracked, before)), ...part.checkpoints];
    const after = { ...before, revision, head: state.place, dirty: null, rules: rulesVersion };
    const changed = { ...noChanges, judgedAnew, facts, dropped: [part.replaced], checkpoints, latest };
    await writeChanges(tx, tracked.accountId, [{ tracked, before, after, ...changed }]);
    await renewClaim(tx, tracked, this.#claim, null);
    return {
      rederived: rederivedOf(frameCount, verdictsChanged, facts, latest),
      frameCount: part.frameCount,
      bases: { tracked, revision, tip: tipOf(tracked, state, before.silentAt), recents: noRecents },
    };
  }
}

/** The state before the frames that are left, in the form of the present rules. */
async function firstCheckpoint(
  reader: Reader,
  tracked: TrackedContext,
  { droppedUntil }: FoldProgress,
): Promise<Checkpoint[]> {
  if (droppedUntil === null) return [];
  const state = await stateBefore(reader, tracked, droppedUntil + 1);
  return state.place === null ? [] : [checkpointOf(state)];
}

function withKey<Item extends object>(items: readonly Item[], { accountId, device }: DeviceKey): (Item & DeviceKey)[] {
  return items.map((item) => ({ ...item, accountId, device }));
}

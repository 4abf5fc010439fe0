import { dropCheckpoints } from "../store/checkpoints.ts";
import type { Database, Reader, Transaction } from "../store/database.ts";
import { factRow } from "../store/fact-rows.ts";
import { type FactRow, factsCompleted, isSameRow, removeFacts, rowKey, saveFacts } from "../store/facts.ts";
import { holdFleetRevision } from "../store/fleet-context.ts";
import { holdFolds, notBegun, saveFolds } from "../store/folds.ts";
import { type DeviceKey, saveFrames } from "../store/frames.ts";
import { type LatestRow, saveLatest, storedLatest } from "../store/latest.ts";
import { bumpViewers } from "../store/viewers.ts";
import type { AccountContexts, TrackedContext } from "./account-context.ts";
import { addCheckpoints } from "./checkpoints.ts";
import { type DerivedAgain, type DeriveOptions, deriveAgain } from "./derive-again.ts";
import type { DeviceFolds, FoldAt } from "./device-folds.ts";
import type { FactChanges } from "./fact-changes.ts";
import type { DeviceFold } from "./fold-frames.ts";
import { latestOf } from "./latest.ts";

/** What deriving a device's facts again came to. */
export interface Rederived {
  readonly frames: number;
  readonly verdictsChanged: number;
  readonly factsSaved: number;
  readonly factsRemoved: number;
  readonly latestChanged: boolean;
}

/** Where frames keep coming in while they are read, the last attempt holds the device. */
const attemptsBesideOthers = 3;

/** Beside a server that keeps getting late frames, a device may be found with some again and again. */
const maxPendingRounds = 3;

/**
 * Brings a device's facts to what its stored frames tell. Null if there was nothing to derive. A thorough run first does what
 * was still to be derived, and does not count it: it is nothing that was wrong.
 */
export async function rederive(
  database: Database,
  contexts: AccountContexts,
  folds: DeviceFolds,
  key: DeviceKey,
  options: DeriveOptions = { range: null, isThorough: false },
): Promise<Rederived | null> {
  let pendingRounds = 0;
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt > attemptsBesideOthers;
    const early = isLast ? null : await derive(database, contexts, key, options);
    if (!isLast && early === null) return null;
    const outcome = await database.transaction(async (tx) => {
      const fleetRevision = await holdFleetRevision(tx, key.accountId);
      const held = (await holdFolds(tx, key.accountId, [key.device])).get(key.device) ?? notBegun;
      const derived = early ?? (await derive(tx, contexts, key, options));
      if (derived === null) return null;
      // Fences may have changed meanwhile, and with them what is shown.
      const isOutdated = held.revision !== derived.again.progress.revision || fleetRevision !== derived.fleetRevision;
      return isOutdated ? "outdated" : write(tx, folds, derived);
    });
    if (outcome === "outdated") continue;
    if (outcome?.fold) folds.keep([outcome.fold]);
    if (options.isThorough && outcome?.wasPending && pendingRounds++ < maxPendingRounds) continue;
    return outcome?.rederived ?? null;
  }
}

interface Derivation {
  readonly fleetRevision: number;
  readonly tracked: TrackedContext;
  readonly again: DerivedAgain;
}

async function derive(
  reader: Reader,
  contexts: AccountContexts,
  key: DeviceKey,
  options: DeriveOptions,
): Promise<Derivation | null> {
  const context = await contexts.of(reader, key.accountId);
  const tracked = (await context?.byDevice(reader, key.device)) ?? null;
  const again = tracked && (await deriveAgain(reader, tracked, options));
  return context && tracked && again && { fleetRevision: context.revision, tracked, again };
}

interface Written {
  readonly rederived: Rederived;
  /** Whether something was still to be derived, by what was noted in the store. */
  readonly wasPending: boolean;
  /** To be kept when the transaction is committed. */
  readonly fold: FoldAt | null;
}

async function write(tx: Transaction, folds: DeviceFolds, { tracked, again }: Derivation): Promise<Written> {
  const { accountId, device } = tracked;
  const { progress, verdicts, after } = again;
  const { toSave, toRemove } = await differences(tx, tracked, again);
  const latest = after && (await changedLatest(tx, tracked, after));
  const rederived = {
    frames: again.frameCount,
    verdictsChanged: verdicts.length,
    factsSaved: toSave.length,
    factsRemoved: toRemove.length,
    latestChanged: latest !== null,
  };
  const isChanged = verdicts.length + toSave.length + toRemove.length > 0 || latest !== null;
  if (!isChanged && progress.dirty === null) return { rederived, wasPending: false, fold: null };
  await saveFrames(
    tx,
    verdicts.map((stored) => ({ accountId, device, ...stored })),
  );
  await removeFacts(tx, toRemove);
  await saveFacts(tx, toSave);
  await dropCheckpoints(tx, tracked, { from: again.checkpointsFrom, until: again.checkpointsUntil });
  await addCheckpoints(tx, tracked, again.checkpoints);
  const revision = progress.revision + 1;
  // The last frame may have been one that stands at another place now, or whose time is not believed any more.
  const head = after === null ? progress.head : after.place;
  await saveFolds(tx, [{ ...progress, accountId, device, revision, head, dirty: null }]);
  if (latest !== null) {
    await saveLatest(tx, [{ accountId, device, ...latest }]);
    await bumpViewers(
      tx,
      tracked.viewers.map((user_id) => ({ account_id: accountId, user_id, shown: "live positions" })),
    );
  }
  const fold = after ?? folds.kept(tracked, progress.revision)?.fold ?? null;
  const wasPending = progress.dirty !== null;
  return { rederived, wasPending, fold: fold && { key: tracked, revision, fold, recent: null } };
}

async function differences(tx: Transaction, tracked: TrackedContext, again: DerivedAgain): Promise<FactChanges> {
  const stored = new Map((await factsCompleted(tx, tracked, again)).map((fact) => [rowKey(fact), fact]));
  const toSave: FactRow[] = [];
  for (const dated of again.facts) {
    const fresh: FactRow = { kind: dated.fact.kind, row: factRow(tracked, dated) };
    const key = rowKey(fresh);
    const old = stored.get(key);
    stored.delete(key);
    if (old === undefined || !isSameRow(old.row, fresh.row)) toSave.push(fresh);
  }
  return { toSave, toContinue: [], toRemove: [...stored.values()].filter(({ row }) => !row.withdrawn) };
}

/** What the device is to show, if that is not what it shows. */
async function changedLatest(
  tx: Transaction,
  tracked: TrackedContext,
  { fold }: DeviceFold,
): Promise<{ readonly latest: LatestRow; readonly lastSeenAt: number } | null> {
  const latest = latestOf(tracked, tracked.derivation, fold.tip);
  const stored = await storedLatest(tx, tracked);
  if (stored !== null && isSameRow({ ...stored }, { ...latest })) return null;
  return { latest, lastSeenAt: stored?.last_seen_at ?? latest.received_at ?? 0 };
}

import type { Reader, Transaction } from "../store/database.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { type FactRow, factsCompleted } from "../store/facts/facts.ts";
import { foldProgress, holdFolds, isWaiting, notBegun } from "../store/facts/folds.ts";
import { holdFleetRevision } from "../store/fleet/fleet-context.ts";
import { type DeriveDeps, type DeviceBases, type MemoryBases, noRecents, tipOf } from "./base.ts";
import type { DeviceAtRevision, TrackedContext } from "./context.ts";
import { noChanges, type Rederived, rederivedOf } from "./device-changes.ts";
import { diffFacts, factRows } from "./diff.ts";
import { deriveLate, type LateOptions, pendingOnly } from "./late.ts";
import { changedLatest } from "./latest.ts";
import { foreground } from "./pace.ts";
import { upgradeDevice } from "./upgrade/upgrade-device.ts";
import type { LateRun } from "./walk.ts";
import { writeChanges } from "./write.ts";

/** If frames keep arriving while they are read, the last attempt locks the device. */
const attemptsWithoutLock = 3;

/** While a server keeps receiving late frames, a device may have new ones each time. */
const maxPendingRounds = 3;

/**
 * Makes a device's facts follow from its stored frames. Null if there was nothing to derive. A thorough run first
 * derives what was pending and does not count it: that was not wrong. A device of earlier rules is brought up to date.
 */
export async function rederive(deps: DeriveDeps, key: DeviceKey, options = pendingOnly): Promise<Rederived | null> {
  const { database, memory } = deps;
  if (isWaiting(await foldProgress(database, key))) return upgradeDevice(deps, key, foreground);
  let pendingRounds = 0;
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt > attemptsWithoutLock;
    const early = isLast ? null : await derive(database, deps, key, options);
    if (!isLast && early === null) return null;
    const outcome = await database.transaction(async (tx) => {
      const fleetRevision = await holdFleetRevision(tx, key.accountId);
      const held = (await holdFolds(tx, key.accountId, [key.device])).get(key.device) ?? notBegun;
      const derived = early ?? (await derive(tx, deps, key, options));
      if (derived === null) return null;
      // Fences may have changed meanwhile, and with them what is shown.
      const isOutdated = held.revision !== derived.late.progress.revision || fleetRevision !== derived.revision;
      return isOutdated ? "outdated" : write(tx, memory, derived);
    });
    if (outcome === "outdated") continue;
    if (outcome?.bases) memory.put([outcome.bases]);
    if (options.isThorough && outcome?.wasPending && pendingRounds++ < maxPendingRounds) continue;
    return outcome?.rederived ?? null;
  }
}

interface Derivation extends DeviceAtRevision {
  readonly late: LateRun;
}

async function derive(
  reader: Reader,
  { contexts, memory }: DeriveDeps,
  key: DeviceKey,
  options: LateOptions,
): Promise<Derivation | null> {
  const context = await contexts.ofDevice(reader, key);
  const late = context && (await deriveLate(reader, memory, context.tracked, options));
  return context && late && { ...context, late };
}

interface Written {
  readonly rederived: Rederived;
  /** Whether the store said that something must still be derived. */
  readonly wasPending: boolean;
  /** To be cached when the transaction is committed. */
  readonly bases: DeviceBases | null;
}

async function write(tx: Transaction, memory: MemoryBases, { tracked, late }: Derivation): Promise<Written> {
  const { progress, judgedAnew, dropped, checkpoints, totals, after } = late;
  const facts = diffFacts(await storedFacts(tx, tracked, late), factRows(tracked, late.facts));
  const latest = after && (await changedLatest(tx, tracked, after.fold.tip, progress.silentAt));
  const rederived = rederivedOf(late.frameCount, judgedAnew.length, facts, latest);
  const wasPending = progress.dirty !== null;
  const revision = progress.revision + 1;
  // The last frame may have moved to another place, or its time may no longer be believed.
  const head = after === null ? progress.head : after.place;
  const progressAfter = { ...progress, revision, head, dirty: null };
  const changed = { ...noChanges, judgedAnew, facts, dropped, checkpoints, totals, latest };
  await writeChanges(tx, tracked.accountId, [{ tracked, before: progress, after: progressAfter, ...changed }]);
  const tip = after === null ? memory.at(tracked, progress.revision)?.tip : tipOf(tracked, after, progress.silentAt);
  return { rederived, wasPending, bases: tip ? { tracked, revision, tip, recents: noRecents } : null };
}

async function storedFacts(tx: Transaction, tracked: TrackedContext, { stretches }: LateRun): Promise<FactRow[]> {
  const facts: FactRow[] = [];
  for (const stretch of stretches) facts.push(...(await factsCompleted(tx, tracked, stretch)));
  return facts;
}

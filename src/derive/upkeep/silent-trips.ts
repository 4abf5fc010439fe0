import { shortestSendingMs, shortestSilenceMs } from "../../domain/trips/pace.ts";
import { silentFrom } from "../../domain/trips/trips.ts";
import type { Database } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { holdFolds, isWaiting } from "../../store/facts/folds.ts";
import { devicesSilentOnTrip, nextSilentTrip } from "../../store/facts/offline-alerts.ts";
import { holdFleetRevision } from "../../store/fleet/fleet-context.ts";
import { readTip, tipOf } from "../base.ts";
import { AccountContexts } from "../context.ts";
import { noChanges } from "../device-changes.ts";
import { diffFacts } from "../diff.ts";
import { changedLatest } from "../latest.ts";
import { eachMarked, earlierOf } from "../marked.ts";
import { backgroundOf, eachPage, lastOf } from "../pace.ts";
import { writeChanges } from "../write.ts";

const devicesPerPage = 500;

/** A trip that cannot be ended yet is looked at again so much later: something must be derived first. */
const retryMs = 20_000;

/** Ends trips by the clock: any later position would end them where last seen. Late frames correct it. */
export async function watchSilence(database: Database, now: number, stop?: AbortSignal): Promise<number> {
  const contexts = new AccountContexts();
  const lastBefore = { recorded: now - shortestSilenceMs, received: now - shortestSendingMs };
  const pace = backgroundOf(stop);
  let ended = 0;
  await eachMarked(database, { work: "silence", now, pace }, async (accountId) => {
    let next: number | null = null;
    await eachPage(pace, async (after) => {
      const keys = await devicesSilentOnTrip(database, accountId, lastBefore, after, devicesPerPage);
      for (const key of keys) {
        if (pace.isStopped) break;
        const later = await endTrip(database, contexts, key, now);
        if (later === null) ended++;
        else next = earlierOf(next, later);
      }
      return lastOf(keys, devicesPerPage);
    });
    const silentAfter = { recordedMs: shortestSilenceMs, receivedMs: shortestSendingMs };
    const others = await nextSilentTrip(database, accountId, silentAfter, now);
    return earlierOf(next, others === null ? null : others + 1);
  });
  return ended;
}

/**
 * Null: the trip is over. Else when to look again: a frame may have arrived meanwhile, or the device reports even less often.
 */
function endTrip(database: Database, contexts: AccountContexts, key: DeviceKey, now: number): Promise<number | null> {
  return database.transaction(async (tx) => {
    await holdFleetRevision(tx, key.accountId);
    const before = (await holdFolds(tx, key.accountId, [key.device])).get(key.device);
    // What must still be derived comes first.
    if (before === undefined || before.dirty !== null || isWaiting(before)) return now + retryMs;
    const tracked = (await contexts.ofDevice(tx, key))?.tracked;
    if (tracked === undefined) return now + retryMs;
    const tip = await readTip(tx, tracked, before.silentAt);
    const silence = silentFrom(tip.state.fold.tip.trips);
    if (silence === null || silence.silentAt === before.silentAt) return now + retryMs;
    const dueAt = Math.max(silence.at, silence.notHeardFrom);
    if (dueAt > now) return dueAt;
    const { silentAt } = silence;
    const { facts } = tipOf(tracked, tip.state, silentAt);
    const latest = await changedLatest(tx, tracked, tip.state.fold.tip, silentAt);
    const after = { ...before, revision: before.revision + 1, silentAt };
    const changed = { ...noChanges, facts: diffFacts(tip.facts, facts), latest };
    await writeChanges(tx, key.accountId, [{ tracked, before, after, ...changed }]);
    return null;
  });
}

import { shortestSendingMs, shortestSilenceMs } from "../../domain/trips/pace.ts";
import { silentFrom } from "../../domain/trips/trips.ts";
import type { Database } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { eachAccount } from "../../store/each-account.ts";
import { holdFolds, isWaiting } from "../../store/facts/folds.ts";
import { devicesSilentOnTrip } from "../../store/facts/offline-alerts.ts";
import { holdFleetRevision } from "../../store/fleet/fleet-context.ts";
import { readTip, tipOf } from "../base.ts";
import { AccountContexts } from "../context.ts";
import { noChanges } from "../device-changes.ts";
import { diffFacts } from "../diff.ts";
import { changedLatest } from "../latest.ts";
import { backgroundOf, eachPage, lastOf } from "../pace.ts";
import { writeChanges } from "../write.ts";

const devicesPerPage = 500;

/** Ends trips by the clock: any later position would end them where last seen. Late frames correct it. */
export async function watchSilence(database: Database, now: number, stop?: AbortSignal): Promise<number> {
  const contexts = new AccountContexts();
  const lastBefore = { recorded: now - shortestSilenceMs, received: now - shortestSendingMs };
  const pace = backgroundOf(stop);
  let ended = 0;
  await eachAccount(database, pace, async (accountId) => {
    await eachPage(pace, async (after) => {
      const keys = await devicesSilentOnTrip(database, accountId, lastBefore, after, devicesPerPage);
      for (const key of keys) if (!pace.isStopped && (await endTrip(database, contexts, key, now))) ended++;
      return lastOf(keys, devicesPerPage);
    });
  });
  return ended;
}

/** Returns whether the trip is really over: a frame may have arrived meanwhile, or the device reports even less often. */
function endTrip(database: Database, contexts: AccountContexts, key: DeviceKey, now: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    await holdFleetRevision(tx, key.accountId);
    const before = (await holdFolds(tx, key.accountId, [key.device])).get(key.device);
    // What must still be derived comes first.
    if (before === undefined || before.dirty !== null || isWaiting(before)) return false;
    const tracked = (await contexts.ofDevice(tx, key))?.tracked;
    if (tracked === undefined) return false;
    const tip = await readTip(tx, tracked, before.silentAt);
    const silence = silentFrom(tip.state.fold.tip.trips);
    if (silence === null || silence.at > now || silence.notHeardFrom > now) return false;
    if (silence.silentAt === before.silentAt) return false;
    const { silentAt } = silence;
    const { facts } = tipOf(tracked, tip.state, silentAt);
    const latest = await changedLatest(tx, tracked, tip.state.fold.tip, silentAt);
    const after = { ...before, revision: before.revision + 1, silentAt };
    const changed = { ...noChanges, facts: diffFacts(tip.facts, facts), latest };
    await writeChanges(tx, key.accountId, [{ tracked, before, after, ...changed }]);
    return true;
  });
}

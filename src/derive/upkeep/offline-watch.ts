import { alertKind } from "../../domain/alert-types.ts";
import { defaultRules, type RuleInForce, readRule } from "../../domain/alerts/read-rule.ts";
import type { AlertFact } from "../../domain/facts.ts";
import { parseReported } from "../../domain/reported.ts";
import { versionInForce } from "../../domain/versions.ts";
import type { Database } from "../../store/database.ts";
import { holdFolds } from "../../store/facts/folds.ts";
import { raiseOfflineAlert, type SilentDevice, silentDevices } from "../../store/facts/offline-alerts.ts";
import { RuleMerger } from "../../store/fleet/device-rules.ts";
import { rulesAbout, sharedRules } from "../../store/fleet/rule-versions.ts";
import { storedLatest } from "../../store/frames/latest.ts";
import { eachMarked, earlier, minSilenceMs } from "../marked.ts";
import { backgroundOf, eachPage, type Pace } from "../pace.ts";

/** Devices checked in one read: a few milliseconds. */
const devicesPerPage = 500;

/** The one rule driven by the clock: no frame for a day, or as its settings say, is offline until the next frame. */
export async function watchOffline(database: Database, now: number, stop?: AbortSignal): Promise<number> {
  const pace = backgroundOf(stop);
  let raised = 0;
  await eachMarked(database, { work: "offline", now, pace }, async (accountId) => {
    const watched = await watchAccount(database, accountId, now, pace);
    raised += watched.raised;
    return watched.next;
  });
  return raised;
}

interface Watched {
  readonly raised: number;
  /** When another device may be offline; null: none will be, unless it is seen first. */
  readonly next: number | null;
}

async function watchAccount(database: Database, accountId: number, now: number, pace: Pace): Promise<Watched> {
  const shortestMs = await shortestSilenceOf(database, accountId);
  let raised = 0;
  let next: number | null = null;
  await eachPage(pace, async (after) => {
    const page = await silentDevices(database, accountId, now - shortestMs, after, devicesPerPage);
    const own = await raiseOf(database, accountId, page.silent, now);
    raised += own.raised;
    next = earlier(next, own.next);
    if (page.seenAt !== null) next = earlier(next, page.seenAt + shortestMs);
    return page.last;
  });
  return { raised, next };
}

/** No device of the account is offline before. */
async function shortestSilenceOf(database: Database, accountId: number): Promise<number> {
  let shortest = defaultRules.device_offline?.threshold ?? 0;
  for (const rules of await rulesAbout(database, accountId, "device_offline")) {
    for (const rule of rules) {
      if (rule.alertType === "device_offline") shortest = Math.min(shortest, readRule(rule)?.threshold ?? shortest);
    }
  }
  return shortest * 1000;
}

async function raiseOf(
  database: Database,
  accountId: number,
  silent: readonly SilentDevice[],
  now: number,
): Promise<Watched> {
  if (silent.length === 0) return { raised: 0, next: null };
  const rules = await rulesOf(database, accountId, silent, now);
  let raised = 0;
  let next: number | null = null;
  for (const device of silent) {
    const rule = rules.get(device.device) ?? null;
    if (rule === null) continue;
    const afterMs = (rule.threshold ?? 0) * 1000;
    const dueAt = device.last_seen_at + afterMs;
    if (dueAt > now) next = earlier(next, dueAt);
    else if (await raise(database, device, rule, afterMs, now)) raised++;
    else next = earlier(next, now + minSilenceMs);
  }
  return { raised, next };
}

/** The rule that holds for each device. */
async function rulesOf(
  database: Database,
  accountId: number,
  devices: readonly SilentDevice[],
  now: number,
): Promise<Map<number, RuleInForce | null>> {
  const rules = new Map<number, RuleInForce | null>();
  const histories = await new RuleMerger(await sharedRules(database, accountId)).of(database, accountId, devices);
  for (const [device, history] of histories) {
    const set = versionInForce(history, now)?.content.findLast(({ alertType }) => alertType === "device_offline");
    rules.set(device, set === undefined ? defaultRules.device_offline : readRule(set));
  }
  return rules;
}

/** Returns whether it is really offline: a frame may have arrived meanwhile, or another node was faster. */
function raise(
  database: Database,
  silent: SilentDevice,
  rule: RuleInForce,
  afterMs: number,
  now: number,
): Promise<boolean> {
  const { account_id: accountId, device, id: deviceId, last_seen_at: lastSeenAt } = silent;
  return database.transaction(async (tx) => {
    const progress = (await holdFolds(tx, accountId, [device])).get(device);
    const latest = await storedLatest(tx, { accountId, device });
    if (!progress || progress.offlineSince !== null || latest?.last_seen_at !== lastSeenAt) return false;
    const since = lastSeenAt + afterMs;
    const fact = offlineFact(silent, rule, since, afterMs);
    await raiseOfflineAlert(tx, { accountId, device, deviceId }, fact, since, now);
    return true;
  });
}

function offlineFact(silent: SilentDevice, rule: RuleInForce, since: number, afterMs: number): AlertFact {
  const seconds = Math.round(afterMs / 1000);
  const { severity, message, unit } = alertKind("device_offline");
  const place = silent.fields_json === null ? null : parseReported(silent.fields_json);
  return {
    kind: "alert",
    alertType: "device_offline",
    qualifier: "",
    occurredAt: since,
    endedAt: null,
    severity: rule.severity ?? severity,
    message: message({ name: "", value: seconds, threshold: seconds, unit }),
    receivedAt: since,
    updatedAt: since,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    speedKmh: null,
    value: seconds,
    threshold: seconds,
    unit,
    fenceId: null,
    tripStartedAt: null,
  };
}

import { alertKind } from "../../domain/alert-types.ts";
import { defaultRules, type RuleInForce, readRule } from "../../domain/alerts/read-rule.ts";
import { holdsAt, nextWithin, stretchesBetween, timesOf } from "../../domain/alerts/rule-times.ts";
import type { AlertFact } from "../../domain/facts.ts";
import { parseReported } from "../../domain/reported.ts";
import { storedZone, type Zone } from "../../domain/time/time-zone.ts";
import { versionInForce } from "../../domain/versions.ts";
import type { Database } from "../../store/database.ts";
import { holdFolds } from "../../store/facts/folds.ts";
import { raiseOfflineAlert, type SilentDevice, silentDevices } from "../../store/facts/offline-alerts.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import { RuleMerger } from "../../store/fleet/device-rules.ts";
import { rulesAbout, sharedRules } from "../../store/fleet/rule-versions.ts";
import { storedLatest } from "../../store/frames/latest.ts";
import { eachMarked, earlierOf, minSilenceMs } from "../marked.ts";
import { backgroundOf, eachPage, type WorkPace } from "../pace.ts";

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

async function watchAccount(database: Database, accountId: number, now: number, pace: WorkPace): Promise<Watched> {
  const shortestMs = await shortestSilenceOf(database, accountId);
  let raised = 0;
  let next: number | null = null;
  await eachPage(pace, async (after) => {
    const page = await silentDevices(database, accountId, now - shortestMs, after, devicesPerPage);
    const own = await raiseOf(database, accountId, page.silent, now);
    raised += own.raised;
    next = earlierOf(next, own.next);
    if (page.seenAt !== null) next = earlierOf(next, page.seenAt + shortestMs);
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
  const zone = storedZone((await accountZones(database, accountId)).present);
  const rules = await rulesOf(database, accountId, silent, zone, now);
  let raised = 0;
  let next: number | null = null;
  for (const device of silent) {
    const { inForce, all } = rules.get(device.device) ?? noRules;
    const since = inForce && offlineSince(inForce, device.last_seen_at, zone, now);
    if (inForce !== null && since !== null && (await raise(database, device, inForce, since, now))) raised++;
    else for (const rule of all) next = earlierOf(next, dueUnder(rule, device.last_seen_at, zone, now));
  }
  return { raised, next };
}

interface OfflineRules {
  /** What holds now, or held last. */
  readonly inForce: RuleInForce | null;
  /** With those whose times are others. */
  readonly all: readonly RuleInForce[];
}

const noRules: OfflineRules = { inForce: null, all: [] };

/** The rules of each device. */
async function rulesOf(
  database: Database,
  accountId: number,
  devices: readonly SilentDevice[],
  zone: Zone,
  now: number,
): Promise<Map<number, OfflineRules>> {
  const rules = new Map<number, OfflineRules>();
  const histories = await new RuleMerger(await sharedRules(database, accountId)).of(database, accountId, devices);
  for (const [device, history] of histories) {
    const set = versionInForce(history, now)?.content.filter(({ alertType }) => alertType === "device_offline") ?? [];
    // Outside all times: what began within them may not be raised yet.
    const rule = set.findLast((one) => holdsAt(timesOf(one), zone, now)) ?? set.findLast(({ enabled }) => enabled);
    const inForce = set.length === 0 ? defaultRules.device_offline : rule ? readRule(rule) : null;
    const all = set.length === 0 ? [inForce] : set.map(readRule);
    rules.set(device, { inForce, all: all.filter((one) => one !== null) });
  }
  return rules;
}

/**
 * When the silence became an alert; null: it is none yet. With times it begins within them, when they begin or later, and
 * lasts like any other until the next frame: one silence is one alert, not one each night.
 */
function offlineSince({ threshold, times }: RuleInForce, lastSeenAt: number, zone: Zone, now: number): number | null {
  const since = lastSeenAt + (threshold ?? 0) * 1000;
  if (since > now || times === null) return since > now ? null : since;
  return stretchesBetween(times, zone, since, now)[0]?.from ?? null;
}

/** When to look again at a device that is not offline: when the silence is long enough and within the times of the rule. */
function dueUnder({ threshold, times }: RuleInForce, lastSeenAt: number, zone: Zone, now: number): number {
  const since = Math.max(lastSeenAt + (threshold ?? 0) * 1000, now);
  const dueAt = times === null ? since : nextWithin(times, zone, since);
  return dueAt > now ? dueAt : now + minSilenceMs;
}

/** Returns whether it is really offline: a frame may have arrived meanwhile, or another node was faster. */
function raise(
  database: Database,
  silent: SilentDevice,
  rule: RuleInForce,
  since: number,
  now: number,
): Promise<boolean> {
  const { account_id: accountId, device, id: deviceId, last_seen_at: lastSeenAt } = silent;
  return database.transaction(async (tx) => {
    const progress = (await holdFolds(tx, accountId, [device])).get(device);
    const latest = await storedLatest(tx, { accountId, device });
    if (!progress || progress.offlineSince !== null || latest?.last_seen_at !== lastSeenAt) return false;
    const fact = offlineFact(silent, rule, since);
    await raiseOfflineAlert(tx, { accountId, device, deviceId }, fact, since, now);
    return true;
  });
}

function offlineFact(silent: SilentDevice, rule: RuleInForce, since: number): AlertFact {
  const seconds = Math.round(rule.threshold ?? 0);
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
    tripFoundAt: null,
  };
}

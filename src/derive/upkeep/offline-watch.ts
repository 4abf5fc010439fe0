import { alertKind } from "../../domain/alert-types.ts";
import { defaultRules, type RuleInForce, readRule } from "../../domain/alerts/read-rule.ts";
import { holdsAt, stretchesBetween, timesOf } from "../../domain/alerts/rule-times.ts";
import type { AlertFact } from "../../domain/facts.ts";
import { parseReported } from "../../domain/reported.ts";
import { storedZone, type Zone } from "../../domain/time/time-zone.ts";
import { versionInForce } from "../../domain/versions.ts";
import type { Database } from "../../store/database.ts";
import { eachAccount } from "../../store/each-account.ts";
import { holdFolds } from "../../store/facts/folds.ts";
import { raiseOfflineAlert, type SilentDevice, silentDevices } from "../../store/facts/offline-alerts.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import { RuleMerger } from "../../store/fleet/device-rules.ts";
import { sharedRules } from "../../store/fleet/rule-versions.ts";
import { storedLatest } from "../../store/frames/latest.ts";
import { backgroundOf, eachPage, type Pace } from "../pace.ts";

/** The shortest time that a device's settings may set. */
const minSilenceMs = 60_000;
/** Devices checked in one read: a few milliseconds. */
const devicesPerPage = 500;

/** The one rule driven by the clock: no frame for a day, or as its settings say, is offline until the next frame. */
export async function watchOffline(database: Database, now: number, stop?: AbortSignal): Promise<number> {
  const pace = backgroundOf(stop);
  let raised = 0;
  await eachAccount(database, pace, async (accountId) => {
    raised += await watchAccount(database, accountId, now, pace);
  });
  return raised;
}

async function watchAccount(database: Database, accountId: number, now: number, pace: Pace): Promise<number> {
  const usualMs = (defaultRules.device_offline?.threshold ?? 0) * 1000;
  const notSeen = { since: now - usualMs, withSettingsSince: now - minSilenceMs };
  let raised = 0;
  await eachPage(pace, async (after) => {
    const { silent, last } = await silentDevices(database, accountId, notSeen, after, devicesPerPage);
    raised += await raiseOf(database, accountId, silent, now);
    return last;
  });
  return raised;
}

async function raiseOf(
  database: Database,
  accountId: number,
  silent: readonly SilentDevice[],
  now: number,
): Promise<number> {
  if (silent.length === 0) return 0;
  const zone = storedZone((await accountZones(database, accountId)).present);
  const rules = await rulesOf(database, accountId, silent, zone, now);
  let raised = 0;
  for (const device of silent) {
    const rule = rules.get(device.device) ?? null;
    const since = rule === null ? null : offlineSince(rule, device.last_seen_at, zone, now);
    if (rule === null || since === null) continue;
    if (await raise(database, device, rule, since, now)) raised++;
  }
  return raised;
}

/** The rule that holds for each device. */
async function rulesOf(
  database: Database,
  accountId: number,
  devices: readonly SilentDevice[],
  zone: Zone,
  now: number,
): Promise<Map<number, RuleInForce | null>> {
  const rules = new Map<number, RuleInForce | null>();
  const histories = await new RuleMerger(await sharedRules(database, accountId)).of(database, accountId, devices);
  for (const [device, history] of histories) {
    const set = versionInForce(history, now)?.content.filter(({ alertType }) => alertType === "device_offline") ?? [];
    // Outside all times: what began within them may not be raised yet.
    const rule = set.findLast((one) => holdsAt(timesOf(one), zone, now)) ?? set.findLast(({ enabled }) => enabled);
    rules.set(device, set.length === 0 ? defaultRules.device_offline : rule ? readRule(rule) : null);
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
    tripStartedAt: null,
  };
}

import { defaultSeverityByAlertType } from "../domain/alert-types.ts";
import { defaultRules, type RuleInForce, readRule } from "../domain/alerts/read-rule.ts";
import type { AlertFact } from "../domain/facts.ts";
import { parseReported } from "../domain/reported.ts";
import { versionInForce } from "../domain/versions.ts";
import type { Database } from "../store/database.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { RuleMerger } from "../store/device-rules.ts";
import { holdFolds } from "../store/folds.ts";
import { storedLatest } from "../store/latest.ts";
import { raiseOfflineAlert, type SilentDevice, type SilentPage, silentDevices } from "../store/offline-alerts.ts";
import { sharedRules } from "../store/rule-versions.ts";

/** The shortest time that a device's settings may set. */
const minSilenceMs = 60_000;
/** Devices checked in one read: a few milliseconds. */
const devicesPerPage = 500;

/**
 * The one rule driven by the clock: a device without a frame for a day, or for as long as its settings say, is offline.
 * The next frame ends that.
 */
export async function watchOffline(database: Database, now: number, stop?: AbortSignal): Promise<number> {
  const usualMs = (defaultRules.device_offline?.threshold ?? 0) * 1000;
  let raised = 0;
  let after: DeviceKey | null = null;
  while (!stop?.aborted) {
    const page: SilentPage = await silentDevices(database, now - usualMs, now - minSilenceMs, after, devicesPerPage);
    raised += await raiseOf(database, page.silent, now);
    after = page.last;
    if (after === null) break;
    // Reads of SQLite resolve at once, so let others have a turn.
    await new Promise((resume) => setImmediate(resume));
  }
  return raised;
}

async function raiseOf(database: Database, silent: readonly SilentDevice[], now: number): Promise<number> {
  if (silent.length === 0) return 0;
  const rules = await rulesOf(database, silent, now);
  let raised = 0;
  for (const device of silent) {
    const rule = rules.get(device.device) ?? null;
    const afterMs = (rule?.threshold ?? 0) * 1000;
    if (rule === null || device.last_seen_at + afterMs > now) continue;
    if (await raise(database, device, rule, afterMs, now)) raised++;
  }
  return raised;
}

/** The rule that holds for each device. */
async function rulesOf(
  database: Database,
  devices: readonly SilentDevice[],
  now: number,
): Promise<Map<number, RuleInForce | null>> {
  const rules = new Map<number, RuleInForce | null>();
  for (const [accountId, own] of Map.groupBy(devices, ({ account_id }) => account_id)) {
    const histories = await new RuleMerger(await sharedRules(database, accountId)).of(database, accountId, own);
    for (const [device, history] of histories) {
      const set = versionInForce(history, now)?.content.findLast(({ alertType }) => alertType === "device_offline");
      rules.set(device, set === undefined ? defaultRules.device_offline : readRule(set));
    }
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
  const place = silent.fields_json === null ? null : parseReported(silent.fields_json);
  return {
    kind: "alert",
    alertType: "device_offline",
    qualifier: "",
    occurredAt: since,
    endedAt: null,
    severity: rule.severity ?? defaultSeverityByAlertType.device_offline,
    message: `No frame for ${durationText(seconds)}`,
    receivedAt: since,
    updatedAt: since,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    speedKmh: null,
    value: seconds,
    threshold: seconds,
    unit: "s",
    fenceId: null,
    tripStartedAt: null,
  };
}

/** In the largest unit that yields a whole number. */
function durationText(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
